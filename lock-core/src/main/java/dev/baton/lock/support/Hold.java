package dev.baton.lock.support;

import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What one owner holds of one lock: one claim, entered once or more. Re-entry costs no command. */
final class Hold {

    /** By whom and what. */
    record Key(String owner, List<LockName> names) {}

    final Key key;
    final Claim claim;
    /** Entries not left yet; zero is for ever. */
    private final AtomicInteger entries = new AtomicInteger(1);

    Hold(Key key, Claim claim) {
        this.key = key;
        this.claim = claim;
    }

    /** Enters once more; false: it is being released. */
    boolean enter() {
        return entries.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Leaves; true: that was the last entry. */
    boolean leave() {
        return entries.decrementAndGet() == 0;
    }
}
