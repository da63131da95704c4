package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;

import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Takes the lock of a {@link LockRow} from its holders, and tells them that it is wanted. */
final class ForceRow {

    private static final String ANY = "0";
    private static final String INBOXES = "lock:inbox:";

    private ForceRow() {}

    /** The reply of force_acquire. The holders are as {@link LockRow#holder} returns them. */
    record Forced(String what, String token, long again, String mark, List<?> holder, List<List<?>> taken) {

        private static Forced of(List<?> reply) {
            List<List<?>> taken = new ArrayList<>();
            ((List<?>) reply.get(5)).forEach(one -> taken.add(LockRow.holder((List<?>) one)));
            return new Forced(
                    (String) reply.get(0),
                    (String) reply.get(1),
                    (Long) reply.get(2),
                    (String) reply.get(3),
                    LockRow.holder((List<?>) reply.get(4)),
                    taken);
        }

        /** Returns the ids of the holders that have lost a lock. */
        List<Object> losers() {
            return taken.stream().<Object>map(holder -> holder.get(0)).toList();
        }
    }

    /** Takes the lock, whichever request holds it. */
    static Forced force(LockRow row, LockRow.Request request) {
        return force(row, request, ANY);
    }

    /** Takes the lock from the holder with this token. */
    static Forced force(LockRow row, LockRow.Request request, String expected) {
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(request.id()));
        return Forced.of(row.call(LuaScript.FORCE_ACQUIRE, keys, List.of(request.record(), INBOXES, expected)));
    }

    /** Takes several locks, whichever requests hold them. */
    static Forced force(LockRow row, LockRow.Request request, String expected, String... names) {
        List<String> locks = Stream.of(names).map(SeveralLocks::lock).toList();
        List<String> keys = new ArrayList<>(
                List.of(locks.get(0), SeveralLocks.queue(names[0]), SeveralLocks.waiting(names[0]), FENCE));
        keys.add(SeveralLocks.over(names[0], request.id()));
        keys.addAll(locks.subList(1, locks.size()));
        String record = request.record(SeveralLocks.PATIENT, locks);
        return Forced.of(row.call(LuaScript.FORCE_ACQUIRE, keys, List.of(record, INBOXES, expected)));
    }

    /** Tells the holders of the lock that it is wanted. Returns how many processes were told. */
    static long tellHolders(LockRow row) {
        return (Long) row.call(LuaScript.TELL_HOLDERS, List.of(LOCK), List.of(INBOXES))
                .get(0);
    }
}
