package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.LockName;
import org.jspecify.annotations.Nullable;

/** One lock of an attempt: its keys, and its holder as the attempt will leave it. */
final class WatchedLock {

    final LockName name;
    final String lock;
    final String queue;
    final String wait;

    private @Nullable HeldLock held;

    WatchedLock(RedisKeys keys, LockName name) {
        this.name = name;
        this.lock = keys.lock(name);
        this.queue = keys.queue(name);
        this.wait = keys.waiting(name);
    }

    /** Returns the lock as it is held, or {@code null} if it is free. */
    @Nullable
    HeldLock held() {
        return held;
    }

    boolean isFree() {
        return held == null;
    }

    boolean isBy(String request) {
        return held != null && held.isBy(request);
    }

    /** Returns whether no other request holds the lock. */
    boolean isOpenTo(String request) {
        return held == null || held.isBy(request);
    }

    /** Records how the lock is held for the rest of the attempt; {@code null} if it is free. */
    void hold(@Nullable HeldLock now) {
        held = now;
    }
}
