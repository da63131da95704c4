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
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of release.lua. */
final class EndTransaction {

    private EndTransaction() {}

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable EndReply attempt(TransactionConnection redis, RedisKeys keys, EndCommand command) {
        LockName name = command.names().get(0);
        String id = command.id();
        LockTransaction attempt = new LockTransaction(redis, keys, name, List.of());
        LockTransaction.Held held = attempt.held();
        boolean holder = held != null && held.isBy(id);
        String record = record(command.waiter(), attempt.lock);
        boolean waiter = !record.isEmpty() && attempt.ask("ZSCORE", attempt.queue, record) != null;
        EndReply.Role was = holder ? EndReply.Role.HOLDER : waiter ? EndReply.Role.WAITER : EndReply.Role.NOTHING;
        List<String> gone = new ArrayList<>();
        if (waiter) {
            gone.add(record);
        }
        if (command.markMillis() > 0) {
            attempt.write("SET", keys.over(name, id), "1", "PX", Long.toString(command.markMillis()));
        }
        boolean more = false;
        List<String> handedTo = new ArrayList<>(1);
        if (held != null && holder && command.keepMillis() > 0) {
            keepFromOthers(attempt, held, command.keepMillis());
        } else if (holder || held == null) {
            attempt.free();
            more = handOver(attempt, record, gone, handedTo);
            if (holder && attempt.held() == null) {
                attempt.write("DEL", attempt.lock);
            }
        }
        attempt.remove(gone);
        return attempt.commit() ? new EndReply(was, List.of(), more, false, handedTo) : null;
    }

    /** Returns the record by which the queue knows the request, or an empty text if it cannot be in the queue. */
    private static String record(@Nullable Request request, String lock) {
        return request == null || request.kind() == Kind.TRY ? "" : StoredTexts.waiter(request, List.of(lock));
    }

    /** Ends the request of the lock. An empty id keeps the lock from all requests until the key expires on its own. */
    private static void keepFromOthers(LockTransaction attempt, LockTransaction.Held held, long keepMillis) {
        attempt.write("SET", attempt.lock, held.withoutRequest(), "KEEPTTL");
        if (held.leftMillis() < 0 || held.leftMillis() > keepMillis) {
            attempt.write("PEXPIRE", attempt.lock, Long.toString(keepMillis));
        }
    }

    /**
     * Hands the lock to the next waiter, if there is one. Returns whether another call would get further in the queue.
     */
    private static boolean handOver(LockTransaction attempt, String leaving, List<String> gone, List<String> handedTo) {
        if (LockTransaction.number(attempt.ask("EXISTS", attempt.queue)) == 0) {
            return false;
        }
        WaiterQueue.Found found =
                new WaiterQueue(attempt, new WaitingProcesses(attempt)).find(Set.of(), Map.of(), leaving);
        gone.addAll(found.gone());
        WaiterQueue.Chosen chosen = found.chosen();
        if (chosen != null && chosen.waiter() != null && chosen.process() != null) {
            handedTo.add(attempt.handOver(chosen.waiter(), chosen.process()));
        }
        return found.more();
    }
}
