package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of release.lua. */
final class EndTransaction {

    private final EndCommand command;
    private final LockTransaction attempt;
    /** The record by which the queues know the request, or an empty text if it cannot be in a queue. */
    private final String record;

    private EndTransaction(TransactionConnection redis, RedisKeys keys, EndCommand command) {
        this.command = command;
        this.attempt = new LockTransaction(redis, keys, command.names(), List.of());
        Request waiter = command.waiter();
        this.record = waiter == null || waiter.kind() == Kind.TRY
                ? ""
                : StoredTexts.waiter(
                        waiter, attempt.locks().stream().map(one -> one.lock).toList());
    }

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable EndReply attempt(TransactionConnection redis, RedisKeys keys, EndCommand command) {
        EndTransaction end = new EndTransaction(redis, keys, command);
        List<LockName> missing = end.attempt.locks().stream()
                .filter(one -> !one.isBy(command.id()))
                .map(one -> one.name)
                .toList();
        boolean heldNone = missing.size() == command.names().size();
        boolean waiter = end.leave();
        EndReply.Role role = missing.isEmpty()
                ? EndReply.Role.HOLDER
                : heldNone && waiter ? EndReply.Role.WAITER : EndReply.Role.NOTHING;
        if (command.markMillis() > 0) {
            String over = keys.over(command.names().get(0), command.id());
            end.attempt.write("SET", over, "1", "PX", Long.toString(command.markMillis()));
        }
        HandOver handOver = end.giveBack();
        return end.attempt.commit()
                ? new EndReply(role, heldNone ? List.of() : missing, handOver.more(), false, handOver.next())
                : null;
    }

    /** Leaves all queues. Returns whether the request was in one of them. */
    private boolean leave() {
        if (record.isEmpty()) {
            return false;
        }
        List<@Nullable Object> scores = attempt.askAll(attempt.locks().stream()
                .map(one -> List.of("ZSCORE", one.queue, record))
                .toList());
        boolean stood = false;
        for (int i = 0; i < scores.size(); i++) {
            if (scores.get(i) != null) {
                attempt.remove(attempt.locks().get(i), List.of(record));
                stood = true;
            }
        }
        return stood;
    }

    /** Gives back the locks that the request holds, and then hands each free lock over. */
    private HandOver giveBack() {
        List<WatchedLock> given = new ArrayList<>(attempt.locks().size());
        for (WatchedLock one : attempt.locks()) {
            HeldLock held = one.held();
            if (held != null && held.isBy(command.id()) && command.keepMillis() > 0) {
                keepFromOthers(one, held);
            } else if (held != null && held.isBy(command.id())) {
                given.add(one);
                one.hold(null);
            }
        }
        HandOver handOver = HandOver.ofFreeLocks(attempt, record);
        for (WatchedLock one : given) {
            if (one.isFree()) {
                attempt.write("DEL", one.lock);
            }
        }
        return handOver;
    }

    /** Ends the request of a lock. An empty id keeps the lock from all requests until the key expires on its own. */
    private void keepFromOthers(WatchedLock one, HeldLock held) {
        attempt.write("SET", one.lock, held.withoutRequest(), "KEEPTTL");
        if (held.leftMillis() < 0 || held.leftMillis() > command.keepMillis()) {
            attempt.write("PEXPIRE", one.lock, Long.toString(command.keepMillis()));
        }
    }
}
