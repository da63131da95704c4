package dev.baton.lock.redis.transaction;

import dev.baton.lock.LockHolder;
import dev.baton.lock.redis.key.StoredTexts;
import org.jspecify.annotations.Nullable;

/**
 * A lock as it is held.
 *
 * @param text the text of the lock
 * @param leftMillis the remaining lease time in milliseconds, or negative if the lease has no end
 */
record HeldLock(String text, StoredTexts.Lock lock, long leftMillis) {

    private static final long NO_KEY = -2;

    /**
     * Reads the answers to GET and PTTL, or returns {@code null} if the lock is free. The lease may have ended between
     * the two answers.
     */
    static @Nullable HeldLock read(@Nullable Object text, @Nullable Object left) {
        long leftMillis = LockTransaction.number(left);
        return text == null || leftMillis == NO_KEY ? null : of(text.toString(), leftMillis);
    }

    static HeldLock of(String text, long leftMillis) {
        return new HeldLock(text, StoredTexts.lock(text), leftMillis);
    }

    boolean isBy(String request) {
        return lock.isBy(request);
    }

    /**
     * Returns the holder.
     *
     * @param now the time in microseconds of Redis's clock
     */
    LockHolder holder(long now) {
        return lock.holder(now, leftMillis);
    }

    /** Returns the text of the same lock after its request has ended. All else stays as it was written. */
    String withoutRequest() {
        return StoredTexts.head("") + text.substring(StoredTexts.head(lock.id()).length());
    }
}
