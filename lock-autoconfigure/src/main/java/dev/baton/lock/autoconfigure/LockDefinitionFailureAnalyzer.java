package dev.baton.lock.autoconfigure;

import dev.baton.lock.interceptor.LockDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which method has a lock that cannot work, and what to change. */
final class LockDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<LockDefinitionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockDefinitionException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
