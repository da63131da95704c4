package dev.baton.lock.redis.script;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the replies of the scripts that inspect, list and force-release locks. */
final class InspectionReplies {

    private InspectionReplies() {}

    static LockState inspect(List<Object> reply, LockName name) {
        List<LockWaiter> waiters = new ArrayList<>();
        List<Object> queue = RedisReplies.list(reply.get(2));
        long now = RedisReplies.number(reply.get(3));
        for (int i = 0; i < queue.size(); i += 2) {
            StoredTexts.Waiter waiter = StoredTexts.anyWaiter(RedisReplies.text(queue.get(i)));
            if (waiter != null) {
                long arrival = (long) Double.parseDouble(RedisReplies.text(queue.get(i + 1)));
                waiters.add(waiter.waiter(arrival, now));
            }
        }
        List<LockHolder> readers = new ArrayList<>();
        List<Object> shared = RedisReplies.list(reply.get(4));
        for (int i = 0; i < shared.size(); i += 2) {
            StoredTexts.Lock reader = StoredTexts.lock(RedisReplies.text(shared.get(i)));
            readers.add(reader.holder(now, RedisReplies.number(shared.get(i + 1))));
        }
        return new LockState(
                name.namespace(),
                name.name(),
                Optional.ofNullable(RedisReplies.holder(RedisReplies.list(reply.get(0)))),
                waiters,
                RedisReplies.number(reply.get(1)),
                readers,
                name.semaphore()
                        ? Optional.of(permits(RedisReplies.text(reply.get(5)), reply.get(6)))
                        : Optional.empty());
    }

    /** Reads the reply of a script that sets the size of a semaphore. */
    static LockState.Permits resize(List<Object> reply) {
        return permits(RedisReplies.text(reply.get(0)), reply.get(1));
    }

    private static LockState.Permits permits(String size, Object used) {
        return new LockState.Permits(
                size.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(size)),
                (int) RedisReplies.number(used));
    }

    static ScanPage scan(List<Object> reply, RedisKeys keys, ScanCommand command) {
        List<String> found =
                RedisReplies.list(reply.get(1)).stream().map(RedisReplies::text).toList();
        return new ScanPage(
                keys.lockNames(found, command.namespace(), command.pattern()), RedisReplies.text(reply.get(0)));
    }

    static ForceReply forceRelease(List<Object> reply, LockName name) {
        if (RedisReplies.text(reply.get(0)).equals("unknown")) {
            throw StoredTexts.otherMode(name);
        }
        return new ForceReply(RedisReplies.holder(RedisReplies.list(reply.get(1))));
    }
}
