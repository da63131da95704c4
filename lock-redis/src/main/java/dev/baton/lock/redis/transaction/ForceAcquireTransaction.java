package dev.baton.lock.redis.transaction;

import dev.baton.lock.LockHolder;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of force_acquire.lua. Takes no lock that readers share. */
final class ForceAcquireTransaction {

    private final RedisKeys keys;
    private final ForceAcquireCommand command;
    private final Request request;
    private final List<LockName> names;
    private final String over;
    private final LockTransaction attempt;

    private ForceAcquireTransaction(TransactionConnection redis, RedisKeys keys, ForceAcquireCommand command) {
        this.keys = keys;
        this.command = command;
        this.request = command.request();
        this.names = command.acquire().names();
        this.over = keys.over(names.get(0), request.id());
        this.attempt = new LockTransaction(redis, keys, names, List.of(over));
    }

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable ForceAcquireReply attempt(
            TransactionConnection redis, RedisKeys keys, ForceAcquireCommand command) {
        ForceAcquireTransaction force = new ForceAcquireTransaction(redis, keys, command);
        ForceAcquireReply reply = force.run();
        return force.attempt.commit() ? reply : null;
    }

    private ForceAcquireReply run() {
        HeldLock first = attempt.locks().get(0).held();
        if (LockTransaction.number(attempt.ask("EXISTS", over)) == 1) {
            return reply(new Over(), List.of());
        }
        if (first != null && attempt.locks().stream().allMatch(one -> one.isBy(request.id()))) {
            attempt.locks().forEach(one -> attempt.extend(one, request.leaseMillis()));
            return reply(new Granted(first.lock().token(), true), List.of());
        }
        List<WatchedLock> others = attempt.locks().stream()
                .filter(one -> !one.isOpenTo(request.id()))
                .toList();
        if (command.expected() != ForceAcquireCommand.ANY && !isExpected(others)) {
            return reply(busy(others), List.of());
        }
        List<LockHolder> taken = new ArrayList<>(others.size());
        for (WatchedLock one : others) {
            taken.add(take(one));
        }
        String record = StoredTexts.waiter(
                request, attempt.locks().stream().map(one -> one.lock).toList());
        attempt.locks().forEach(one -> attempt.remove(one, List.of(record)));
        return reply(new Granted(attempt.grant(request, 0), false), taken);
    }

    private boolean isExpected(List<WatchedLock> others) {
        return !others.isEmpty()
                && others.stream().allMatch(one -> held(one).lock().token() == command.expected());
    }

    private Answer busy(List<WatchedLock> others) {
        if (others.isEmpty()) {
            return new Busy(null, attempt.mark());
        }
        HeldLock held = held(others.get(0));
        return new Busy(held.holder(attempt.now), attempt.mark(), held.lock().id());
    }

    /** Notifies the holder of a lock. Returns the holder. */
    private LockHolder take(WatchedLock one) {
        HeldLock held = held(one);
        if (!held.lock().isExclusive()) {
            throw StoredTexts.otherMode(one.name);
        }
        ForceReleaseTransaction.notifyHolder(attempt, keys, held.lock(), one.lock);
        return held.holder(attempt.now);
    }

    private static HeldLock held(WatchedLock one) {
        HeldLock held = one.held();
        if (held == null) {
            throw new IllegalStateException("lock '" + one.lock + "' is free");
        }
        return held;
    }

    private static ForceAcquireReply reply(Answer answer, List<LockHolder> taken) {
        return new ForceAcquireReply(answer, taken, false);
    }
}
