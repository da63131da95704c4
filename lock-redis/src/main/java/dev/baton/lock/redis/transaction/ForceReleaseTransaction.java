package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of force_release.lua. */
final class ForceReleaseTransaction {

    private ForceReleaseTransaction() {}

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable ForceReply attempt(TransactionConnection redis, RedisKeys keys, LockName name) {
        LockTransaction attempt = new LockTransaction(redis, keys, List.of(name), List.of());
        WatchedLock lock = attempt.locks().get(0);
        HeldLock held = lock.held();
        if (held != null && !held.lock().isExclusive()) {
            throw StoredTexts.otherMode(name);
        }
        if (held != null) {
            notifyHolder(attempt, keys, held.lock(), lock.lock);
            lock.hold(null);
        }
        HandOver.ofFreeLocks(attempt, "");
        if (held != null && lock.isFree()) {
            attempt.write("DEL", lock.lock);
        }
        return attempt.commit() ? new ForceReply(held == null ? null : held.holder(attempt.now)) : null;
    }

    /** Notifies the process of the holder. A lock whose request has ended has none. */
    static void notifyHolder(LockTransaction attempt, RedisKeys keys, StoredTexts.Lock held, String key) {
        int colon = held.id().lastIndexOf(':');
        if (colon >= 0) {
            String inbox = keys.inbox(held.id().substring(0, colon));
            attempt.write("PUBLISH", inbox, "revoke 1 " + held.id() + " " + held.token() + " " + key);
        }
    }
}
