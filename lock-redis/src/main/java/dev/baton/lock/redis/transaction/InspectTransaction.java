package dev.baton.lock.redis.transaction;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.redis.transaction.TransactionConnection.RefusedException;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of inspect.lua. */
final class InspectTransaction {

    private InspectTransaction() {}

    /**
     * Returns the state of a lock, read in one step.
     *
     * @param most how many waiters to name, not negative
     */
    static @Nullable LockState attempt(TransactionConnection redis, RedisKeys keys, LockName name, int most) {
        // a connection that is dead shows it here: after EXEC, another one is not tried
        long now = LockTransaction.micros(redis.ask(List.of(List.of("TIME"))).get(0));
        List<@Nullable Object> read = read(redis, keys, name, most);
        if (read == null) {
            return null;
        }
        HeldLock held = HeldLock.read(read.get(0), read.get(1));
        Optional<LockHolder> holder = held == null ? Optional.empty() : Optional.of(held.holder(now));
        List<LockWaiter> waiters = most == 0 ? List.of() : waiters(read.get(3), now);
        return new LockState(name.namespace(), name.name(), holder, waiters, LockTransaction.number(read.get(2)));
    }

    private static @Nullable List<@Nullable Object> read(
            TransactionConnection redis, RedisKeys keys, LockName name, int most) {
        String lock = keys.lock(name);
        String queue = keys.queue(name);
        List<List<String>> questions =
                new ArrayList<>(List.of(List.of("GET", lock), List.of("PTTL", lock), List.of("ZCARD", queue)));
        if (most > 0) {
            questions.add(List.of("ZRANGE", queue, "0", Integer.toString(most - 1), "WITHSCORES"));
        }
        try {
            return redis.exec(questions);
        } catch (RefusedException ex) {
            if (LockTransaction.isHash(redis, lock)) {
                throw StoredTexts.otherFormat("1");
            }
            throw ex;
        }
    }

    private static List<LockWaiter> waiters(@Nullable Object queue, long now) {
        List<LockWaiter> waiters = new ArrayList<>();
        for (LockTransaction.Scored one : LockTransaction.scored(queue)) {
            StoredTexts.Waiter waiter = StoredTexts.anyWaiter(one.member());
            if (waiter != null) {
                waiters.add(waiter.waiter(one.score(), now));
            }
        }
        return waiters;
    }
}
