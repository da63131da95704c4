package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.wait.WaitPolicy;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.KeptInterrupt;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the grant of an acquisition. If there is none, creates the exception: what the request waited for, for how
 * long, and what the store said. Thread-safe.
 */
final class GrantWait {

    private final LockStore store;
    private final EngineSettings settings;
    private final TimeSource time;
    private final CohortRegistry cohorts;
    private final ShutdownSequence shutdown;

    GrantWait(
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

    /** Waits for an acquisition. Returns the failure, or {@code null} if the lock was granted. */
    @Nullable
    LockException await(Acquisition acquisition) {
        KeptInterrupt interrupt = new KeptInterrupt();
        try {
            while (true) {
                try {
                    Outcome settled = acquisition.spec().unbounded()
                            ? acquisition.settled.get()
                            : time.await(acquisition.settled, acquisition.deadline() - time.nanoTime());
                    if (settled == Outcome.FAILED && isInterrupted(acquisition)) {
                        // the store let the thread go because of the interrupt, and the command failed for this reason
                        return new LockInterruptedException(
                                name(acquisition),
                                waited(acquisition),
                                new InterruptedException("interrupted while the lock was requested"));
                    }
                    return of(acquisition, settled);
                } catch (InterruptedException ex) {
                    interrupt.take();
                    if (acquisition.spec().interruptible()) {
                        return new LockInterruptedException(name(acquisition), waited(acquisition), ex);
                    }
                }
            }
        } catch (TimeoutException ex) {
            return late(acquisition);
        } catch (ExecutionException ex) {
            throw new IllegalStateException("an acquisition settles normally, always", ex);
        } finally {
            interrupt.giveBack();
        }
    }

    private static boolean isInterrupted(Acquisition acquisition) {
        return acquisition.spec().interruptible() && Thread.currentThread().isInterrupted();
    }

    /** Creates the exception of an acquisition whose wait time is over. */
    LockException late(Acquisition acquisition) {
        long telling = WaitPolicy.tellingNanos(settings.commandTimeoutNanos());
        return acquisition.failure() != null || acquisition.status().isUnanswered(telling, time.nanoTime())
                ? storeFailure(acquisition)
                : timeout(acquisition);
    }

    /** Creates the exception of a lock that has not come back after a wait at a condition. */
    LockTimeoutException late(Acquisition acquisition, Duration waited) {
        return new LockTimeoutException(name(acquisition), waited, holder(acquisition));
    }

    /** Creates the exception of an acquisition whose command was not answered. */
    LockException failed(Acquisition acquisition) {
        return shutdown.hasBegun() ? stopped(acquisition) : storeFailure(acquisition);
    }

    /** Creates the exception of a settled acquisition. Returns {@code null} if it was granted. */
    @Nullable
    LockException of(Acquisition acquisition, Outcome settled) {
        return switch (settled) {
            case GRANTED -> null;
            case REFUSED -> timeout(acquisition);
            case STALLED -> stuck(acquisition);
            case FAILED -> failed(acquisition);
        };
    }

    private LockTimeoutException timeout(Acquisition acquisition) {
        if (!acquisition.isContended()) {
            return LockTimeoutException.unanswered(name(acquisition), waited(acquisition), store.describe());
        }
        Duration waited = acquisition.spec().tries() ? Duration.ZERO : waited(acquisition);
        LockPermits permits = acquisition.spec().permits();
        return permits == null
                ? new LockTimeoutException(name(acquisition), waited, holder(acquisition))
                : LockTimeoutException.permits(name(acquisition), permits, waited, holder(acquisition));
    }

    /** Returns the holder in the way, or {@code null} if none is known. */
    private @Nullable LockHolder holder(Acquisition acquisition) {
        LockHolder known = acquisition.status().holder(time.nanoTime());
        return cohorts.holder(acquisition.names().get(0), known);
    }

    private LockTimeoutException stuck(Acquisition acquisition) {
        long stalled = acquisition.ticket().stalledNanos(time.nanoTime());
        return LockTimeoutException.stuck(
                name(acquisition), waited(acquisition), holder(acquisition), Duration.ofNanos(stalled));
    }

    private LockStoreException storeFailure(Acquisition acquisition) {
        StoreException cause = acquisition.failure();
        String what = cause == null
                ? store.describe() + " has not answered within "
                        + waited(acquisition).toMillis() + " ms"
                : cause.getMessage();
        return new LockStoreException(
                name(acquisition), "Lock '" + acquisition.title() + "' could not be requested: " + what, cause);
    }

    /** Creates the exception of an acquisition that is no longer granted because the template is stopping. */
    static LockStoreException stopped(Acquisition acquisition) {
        return new LockStoreException(
                name(acquisition),
                "Lock '" + acquisition.title() + "' is no longer granted: the lock template is stopping",
                null);
    }

    private static String name(Acquisition acquisition) {
        return acquisition.spec().name();
    }

    private Duration waited(Acquisition acquisition) {
        return Duration.ofNanos(time.nanoTime() - acquisition.askedAt());
    }
}
