package dev.baton.lock.benchmarks.comparison.process;

/** Reports that a contender did not finish its task, and why. */
public final class ContenderFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    ContenderFailure(String message) {
        super(message);
    }
}
