package dev.baton.lock.engine.wait;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks which lock names have local waiters. Calls to {@link #begin} and {@link #end} are balanced, because several
 * recheck groups may watch one name. The end of a group that is short-lived may be called before its begin.
 */
interface KeyspaceWatches {

    KeyspaceWatches NOTHING = new KeyspaceWatches() {
        @Override
        public void begin(List<LockName> names) {
            // the store announces a grant by message
        }

        @Override
        public void end(List<LockName> names) {
            // nothing was begun
        }
    };

    void begin(List<LockName> names);

    void end(List<LockName> names);

    /**
     * Returns watches that pass the names to the store if its wait strategy is {@code keyspace}. Otherwise, returns
     * watches that do nothing.
     */
    static KeyspaceWatches of(LockStore store) {
        if (store.traits().waitStrategy() != WaitStrategy.KEYSPACE) {
            return NOTHING;
        }
        ConcurrentHashMap<LockName, Integer> watched = new ConcurrentHashMap<>();
        return new KeyspaceWatches() {
            @Override
            public void begin(List<LockName> names) {
                for (LockName name : names) {
                    watched.compute(name, (same, before) -> {
                        int count = before == null ? 1 : before + 1;
                        if (count == 1) {
                            store.watch(name);
                        }
                        return count == 0 ? null : count;
                    });
                }
            }

            @Override
            public void end(List<LockName> names) {
                for (LockName name : names) {
                    watched.compute(name, (same, before) -> {
                        int count = before == null ? -1 : before - 1;
                        if (count == 0) {
                            store.unwatch(name);
                        }
                        return count == 0 ? null : count;
                    });
                }
            }
        };
    }
}
