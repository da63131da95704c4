package dev.baton.lock.support;

import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is held in this process, by owner and lock. Thread-safe. */
final class Holds {

    private record Key(String owner, LockName name) {}

    private final ConcurrentHashMap<Key, Hold> holds = new ConcurrentHashMap<>();

    /** What an owner holds of these locks, be it only one of them; null: nothing. */
    @Nullable
    Hold find(String owner, List<LockName> names) {
        for (LockName name : names) {
            Hold known = holds.get(new Key(owner, name));
            if (known != null) {
                return known;
            }
        }
        return null;
    }

    void add(Hold hold) {
        hold.claim.names.forEach(name -> holds.put(new Key(hold.key.owner(), name), hold));
    }

    void remove(Hold hold) {
        hold.claim.names.forEach(name -> holds.remove(new Key(hold.key.owner(), name), hold));
    }
}
