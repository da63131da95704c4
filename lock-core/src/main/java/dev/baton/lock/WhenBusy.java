package dev.baton.lock;

/** The behavior of a call whose lock was not granted within its wait time. */
public enum WhenBusy {
    /** The call throws {@link LockTimeoutException}. */
    FAIL,
    /** The call returns nothing: {@code null}, an empty {@code Optional}, an empty publisher or a completed future. */
    SKIP
}
