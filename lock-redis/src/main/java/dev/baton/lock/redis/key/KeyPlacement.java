package dev.baton.lock.redis.key;

import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/** Where the keys of a lock are. A script may only touch keys of one slot in a Redis Cluster. Pure. */
public enum KeyPlacement {
    /** All keys are on one server, so that requests for several locks, whatever their names, share one fence. */
    ONE_SERVER {
        @Override
        public String fence(RedisKeys keys, LockName name) {
            return keys.fence();
        }

        @Override
        public int slot(RedisKeys keys, LockName name) {
            return 0;
        }
    },

    /** The keys of a lock are in its slot. The locks of one slot share a fence. */
    CLUSTER {
        @Override
        public String fence(RedisKeys keys, LockName name) {
            return keys.fence(slot(keys, name));
        }

        @Override
        public int slot(RedisKeys keys, LockName name) {
            return ClusterSlotHashUtil.calculateSlot(keys.lock(name).getBytes(StandardCharsets.UTF_8));
        }
    };

    /** Returns the key that counts the tokens of a lock. */
    public abstract String fence(RedisKeys keys, LockName name);

    /** Returns the slot of a lock: the same for two locks if a script may touch both. */
    public abstract int slot(RedisKeys keys, LockName name);

    /** Returns whether a script may touch all these locks. */
    public boolean isTogether(RedisKeys keys, Collection<LockName> names) {
        return names.size() < 2
                || names.stream().mapToInt(name -> slot(keys, name)).distinct().count() < 2;
    }
}
