package dev.baton.lock.interceptor;

/** Carries what is neither exception nor error through a callback, which cannot declare it. */
public final class WrappedThrowable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    public WrappedThrowable(Throwable thrown) {
        super(thrown);
        this.thrown = thrown;
    }

    /** Returns what was thrown, with what was added to the carrier meanwhile, such as the loss of the lock. */
    public Throwable unwrap() {
        for (Throwable suppressed : getSuppressed()) {
            thrown.addSuppressed(suppressed);
        }
        return thrown;
    }
}
