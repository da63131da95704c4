package dev.baton.lock.engine.wait;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Told for which names somebody of this process waits. As many ends as beginnings: several guards may be about one name. */
interface Watching {

    Watching NOTHING = new Watching() {
        @Override
        public void begin(List<LockName> names) {
            // who waits is told otherwise
        }

        @Override
        public void end(List<LockName> names) {
            // nothing was begun
        }
    };

    void begin(List<LockName> names);

    void end(List<LockName> names);

    /** Has a store watch what is waited for, if that is how those that wait learn of their turn. */
    static Watching of(LockStore store) {
        if (store.waitStrategy() != WaitStrategy.KEYSPACE) {
            return NOTHING;
        }
        ConcurrentHashMap<LockName, Integer> watched = new ConcurrentHashMap<>();
        return new Watching() {
            @Override
            public void begin(List<LockName> names) {
                for (LockName name : names) {
                    watched.compute(name, (same, count) -> {
                        if (count == null) {
                            store.watch(name);
                        }
                        return count == null ? 1 : count + 1;
                    });
                }
            }

            @Override
            public void end(List<LockName> names) {
                for (LockName name : names) {
                    watched.computeIfPresent(name, (same, count) -> {
                        if (count == 1) {
                            store.unwatch(name);
                        }
                        return count == 1 ? null : count - 1;
                    });
                }
            }
        };
    }
}
