package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Optional;

/** Creates the leases of holds. Thread-safe. */
final class LeaseFactory {

    /** Requests the locks of a lost lease again. */
    @FunctionalInterface
    interface Reacquirer {

        /** Returns the new lease, or empty if the locks are held by another. */
        Optional<Lease> reacquire(ReentrantHold lost, PreparedRequest before, Duration expire);
    }

    private final HoldRegistry holds = new HoldRegistry();
    private final HoldReleaser releaser;
    private final RequestPreparer preparer;
    private final Reacquirer reacquirer;

    LeaseFactory(RequestPreparer preparer, TimeSource time, Reacquirer reacquirer) {
        this.releaser = new HoldReleaser(holds, time);
        this.preparer = preparer;
        this.reacquirer = reacquirer;
    }

    /** Returns the holds whose leases this factory created. */
    HoldRegistry holds() {
        return holds;
    }

    /** Creates the hold of a granted acquisition, and its first lease. */
    DefaultLease granted(PreparedRequest asked, Acquisition acquisition) {
        ReentrantHold hold = new ReentrantHold(asked.key(), acquisition);
        holds.add(hold);
        Grant grant = acquisition.lastGrant();
        hold.tellLoss(asked.events(), asked.running().executors());
        keep(grant, grant.grantedAt, asked.request());
        GrantDetails details = acquisition.details(preparer.onLost(asked));
        ReentrantHold.Entry first = hold.isWriter() ? ReentrantHold.Entry.WRITER : ReentrantHold.Entry.READER;
        DefaultLease lease = lease(asked, hold, first, details);
        if (!lease.isHeld()) {
            // a pause has outlasted the lease: no work must begin
            lease.releaseAsync();
            throw lease.lost(null);
        }
        asked.events().granted(grant.token, details);
        return lease;
    }

    /** Creates one more lease of a hold that was entered again. */
    DefaultLease again(PreparedRequest asked, ReentrantHold hold, ReentrantHold.Entry entry) {
        return lease(asked, hold, entry, GrantDetails.again(preparer.onLost(asked)));
    }

    private DefaultLease lease(
            PreparedRequest asked, ReentrantHold hold, ReentrantHold.Entry entry, GrantDetails details) {
        return new DefaultLease(
                asked.running(),
                hold,
                entry,
                hold.acquisition.lastGrant(),
                details,
                releaser,
                expire -> reacquirer.reacquire(hold, asked, expire),
                (lease, name) -> new DefaultCondition(asked, hold, lease, name, holds, preparer));
    }

    /** Keeps a lock from others for the least time that a request holds it, also after its release. */
    static void keep(Grant grant, long from, LockRequest request) {
        Duration least = request.holdAtLeast();
        if (least != null) {
            grant.keepUntil(from + least.toNanos());
        }
    }
}
