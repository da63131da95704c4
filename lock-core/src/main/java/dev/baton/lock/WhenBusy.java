package dev.baton.lock;

/** What a call does whose lock was not granted within its wait time. */
public enum WhenBusy {
    /** It throws {@link LockTimeoutException}. */
    FAIL,
    /** It returns nothing: {@code null}, an empty {@code Optional}, an empty publisher or a completed future. */
    SKIP
}
