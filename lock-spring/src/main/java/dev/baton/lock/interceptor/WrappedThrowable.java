package dev.baton.lock.interceptor;

/** Carries a throwable that is neither an exception nor an error through a callback, which cannot declare it. */
public final class WrappedThrowable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    public WrappedThrowable(Throwable thrown) {
        super(thrown);
        this.thrown = thrown;
    }

    /**
     * Returns the original throwable. Adds to it the suppressed exceptions that the carrier received meanwhile, such as
     * the loss of the lock.
     */
    public Throwable unwrap() {
        for (Throwable suppressed : getSuppressed()) {
            thrown.addSuppressed(suppressed);
        }
        return thrown;
    }
}
