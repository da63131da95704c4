package dev.baton.lock.support;

import dev.baton.lock.store.LockName;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/** What one owner was granted: one claim, of one lock or several, entered once or more. Re-entry costs no command. */
final class Hold {

    final Claim claim;
    /** Entries not left yet; zero is for ever. */
    private final AtomicInteger entries = new AtomicInteger(1);

    Hold(Claim claim) {
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

    /** Whether it has all of these locks. */
    boolean covers(Collection<LockName> names) {
        return claim.names.containsAll(names);
    }
}
