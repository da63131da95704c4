package dev.baton.lock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which connection factories exist, and how to select one. */
final class LockConnectionFactoryFailureAnalyzer extends AbstractFailureAnalyzer<LockConnectionFactoryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockConnectionFactoryException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
