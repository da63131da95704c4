package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of end.lua. */
final class EndTransaction {

    private EndTransaction() {}

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable EndReply attempt(TransactionConnection redis, RedisKeys keys, EndCommand command) {
        LockName name = command.names().get(0);
        String id = command.id();
        LockTransaction attempt = new LockTransaction(redis, keys, name, List.of());
        LockTransaction.Held held = attempt.held();
        boolean holder = held != null && held.isBy(id);
        boolean waiter = attempt.ask("ZSCORE", attempt.queue, id) != null;
        EndReply.Role was = holder ? EndReply.Role.HOLDER : waiter ? EndReply.Role.WAITER : EndReply.Role.NOTHING;
        Set<String> gone = new LinkedHashSet<>();
        if (waiter) {
            gone.add(id);
        }
        boolean more = false;
        List<String> handedTo = new ArrayList<>(1);
        if (held != null && holder && command.keepMillis() > 0) {
            // an empty id keeps the lock from all requests until the key expires on its own
            attempt.write("HSET", attempt.lock, "id", "");
            long left = held.leftMillis() < 0 ? command.keepMillis() : held.leftMillis();
            attempt.write("PEXPIRE", attempt.lock, Long.toString(Math.min(left, command.keepMillis())));
        } else if (holder || held == null) {
            attempt.free();
            more = handOver(attempt, id, gone, handedTo);
            if (holder && attempt.held() == null) {
                attempt.write("DEL", attempt.lock);
            }
        }
        if (command.markMillis() > 0) {
            attempt.write("SET", keys.over(name, id), "1", "PX", Long.toString(command.markMillis()));
        }
        attempt.remove(gone, 0);
        return attempt.commit() ? new EndReply(was, List.of(), more, false, handedTo) : null;
    }

    /**
     * Hands the lock to the next waiter, if there is one. Returns whether another call would get further in the queue.
     */
    private static boolean handOver(LockTransaction attempt, String leaving, Set<String> gone, List<String> handedTo) {
        if (LockTransaction.number(attempt.ask("EXISTS", attempt.queue)) == 0) {
            return false;
        }
        WaiterQueue.Found found = new WaiterQueue(attempt, null).find(Set.of(), List.of(), leaving);
        gone.addAll(found.gone());
        WaiterQueue.Chosen chosen = found.chosen();
        if (chosen != null && chosen.waiter() != null) {
            attempt.handOver(chosen.id(), chosen.waiter());
            handedTo.add(chosen.id());
        }
        return found.more();
    }
}
