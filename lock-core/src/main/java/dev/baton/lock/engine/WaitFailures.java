package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.ClaimGroup;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.wait.WaitPolicy;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exception of a request that was not granted: what the request waited for, for how long, and what the
 * store said. Thread-safe.
 */
final class WaitFailures {

    private final LockStore store;
    private final EngineSettings settings;
    private final TimeSource time;
    private final CohortRegistry cohorts;
    private final ShutdownSequence shutdown;

    WaitFailures(
            LockStore store,
            EngineSettings settings,
            TimeSource time,
            CohortRegistry cohorts,
            ShutdownSequence shutdown) {
        this.store = store;
        this.settings = settings;
        this.time = time;
        this.cohorts = cohorts;
        this.shutdown = shutdown;
    }

    /** Creates the exception of a claim whose wait time is over. */
    LockException late(Claim claim) {
        long telling = WaitPolicy.tellingNanos(settings.commandTimeoutNanos());
        return claim.failure() != null || claim.isUnanswered(telling, time.nanoTime())
                ? storeFailure(claim)
                : timeout(claim);
    }

    /** Creates the exception of a settled claim. Returns {@code null} if the claim was granted. */
    @Nullable
    LockException of(Claim claim, Outcome settled) {
        return switch (settled) {
            case GRANTED -> null;
            case REFUSED -> timeout(claim);
            case STALLED -> stuck(claim);
            case FAILED -> shutdown.hasBegun() ? stopped(claim) : storeFailure(claim);
        };
    }

    /** Creates the exception of a claim whose wait was interrupted. */
    LockInterruptedException interrupted(Claim claim, InterruptedException ex) {
        return new LockInterruptedException(name(claim), waited(claim), ex);
    }

    private LockTimeoutException timeout(Claim claim) {
        if (!claim.contended()) {
            return LockTimeoutException.unanswered(name(claim), waited(claim), store.describe());
        }
        return new LockTimeoutException(name(claim), claim.tries ? Duration.ZERO : waited(claim), holder(claim));
    }

    /** Returns the holder that blocks a claim, or {@code null} if none is known. */
    private @Nullable LockHolder holder(Claim claim) {
        ClaimGroup cohort = claim.cohort();
        return cohort == null ? cohorts.holder(claim.names.get(0), claim.holder()) : cohort.holder(time.nanoTime());
    }

    private LockTimeoutException stuck(Claim claim) {
        long stalled = claim.stallMonitor == null ? 0 : claim.stallMonitor.stalledNanos(time.nanoTime());
        return LockTimeoutException.stuck(name(claim), waited(claim), holder(claim), Duration.ofNanos(stalled));
    }

    private LockStoreException storeFailure(Claim claim) {
        StoreException cause = claim.failure();
        String what = cause == null
                ? store.describe() + " has not answered within " + waited(claim).toMillis() + " ms"
                : cause.getMessage();
        return new LockStoreException(name(claim), "Lock '" + claim.title + "' could not be asked for: " + what, cause);
    }

    /** Creates the exception of a claim that is no longer granted because the template is stopping. */
    static LockStoreException stopped(Claim claim) {
        return new LockStoreException(
                name(claim), "Lock '" + claim.title + "' is not granted any more: the lock template is stopping", null);
    }

    private static String name(Claim claim) {
        return AcquisitionSpec.name(claim.names);
    }

    private Duration waited(Claim claim) {
        return Duration.ofNanos(time.nanoTime() - claim.askedAt);
    }
}
