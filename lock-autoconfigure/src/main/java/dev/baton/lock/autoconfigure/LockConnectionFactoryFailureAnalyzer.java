package dev.baton.lock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which connection factories there are, and how to name the one to use. */
final class LockConnectionFactoryFailureAnalyzer extends AbstractFailureAnalyzer<LockConnectionFactoryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockConnectionFactoryException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
