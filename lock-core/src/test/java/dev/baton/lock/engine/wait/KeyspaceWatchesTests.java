package dev.baton.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreTraits;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a store watches a name on behalf of several groups of waiters. */
class KeyspaceWatchesTests {

    private static final StoreTraits TRAITS =
            new StoreTraits(WaitStrategy.KEYSPACE, StoreTraits.POLLING_INTERVAL, false, null);
    private static final List<LockName> NAME = List.of(new LockName("", "x.1"));

    private final List<String> calls = new ArrayList<>();
    private final KeyspaceWatches watches = KeyspaceWatches.of(store());

    @Test
    void nameIsWatchedFromTheFirstGroupToTheLast() {
        watches.begin(NAME);
        watches.begin(NAME);
        watches.end(NAME);
        assertThat(calls).containsExactly("watch");
        watches.end(NAME);
        assertThat(calls).containsExactly("watch", "unwatch");
    }

    @Test
    void groupThatEndsBeforeItsWatchHasBegunLeavesNoWatch() {
        watches.end(NAME);
        watches.begin(NAME);
        assertThat(calls).isEmpty();
        watches.begin(NAME);
        assertThat(calls).containsExactly("watch");
    }

    @Test
    void groupThatStaysIsNotifiedAgainIfAnotherEndsBeforeItsWatchHasBegun() {
        watches.begin(NAME);
        watches.end(NAME);
        watches.begin(NAME);
        assertThat(calls).as("each watch notifies the waiters").containsExactly("watch", "unwatch", "watch");
    }

    private LockStore store() {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("traits")) {
                        return TRAITS;
                    }
                    calls.add(method.getName());
                    return null;
                });
    }
}
