package dev.baton.lock.support;

import dev.baton.lock.store.EndReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a lock back and waits for the confirmation, at most one command time-out. */
final class Releasing {

    private static final Logger log = LoggerFactory.getLogger(Releasing.class);

    private final EngineSettings settings;
    private final EngineThreads threads;
    private final TimeSource time;
    private final Holding holding;
    private final Ending ending;
    private final Cohorts cohorts;

    Releasing(
            EngineSettings settings,
            EngineThreads threads,
            TimeSource time,
            Holding holding,
            Ending ending,
            Cohorts cohorts) {
        this.settings = settings;
        this.threads = threads;
        this.time = time;
        this.holding = holding;
        this.ending = ending;
        this.cohorts = cohorts;
    }

    /**
     * Releases; false: it was lost. Without an answer it was ours as far as our own clock can tell, the end stays owed, and
     * the answer is true.
     */
    boolean release(Claim claim) {
        Grant grant = claim.grant();
        if (grant == null || !holding.release(claim, grant)) {
            return false;
        }
        return settle(claim, grant, await(end(claim)));
    }

    /** As {@link #release(Claim)}; completes on a thread for callbacks, within one command time-out. */
    CompletableFuture<Boolean> releaseAsync(Claim claim) {
        Grant grant = claim.grant();
        if (grant == null || !holding.release(claim, grant)) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<@Nullable EndReply> first = new CompletableFuture<>();
        end(claim).thenAccept(first::complete);
        ScheduledFuture<?> timer = threads.onAsker(settings.commandTimeoutNanos(), () -> first.complete(null));
        return first.thenApplyAsync(
                reply -> {
                    if (timer != null) {
                        timer.cancel(false);
                    }
                    return settle(claim, grant, reply);
                },
                threads::complete);
    }

    private CompletableFuture<@Nullable EndReply> end(Claim claim) {
        Cohort cohort = claim.cohort();
        return cohort == null ? ending.end(claim) : cohorts.end(cohort, claim);
    }

    /** Null: no answer in time. */
    private boolean settle(Claim claim, Grant grant, @Nullable EndReply reply) {
        if (reply == null) {
            log.warn(
                    "Releasing lock '{}' was not confirmed; the lock comes free when its lease ends at the latest",
                    claim.title);
            return true;
        }
        claim.endNews.handedTo(reply.handedTo());
        boolean ours = reply.was() == EndReply.Was.HOLDER
                || reply.repeated() && reply.missing().isEmpty() && !LeaseClock.isOver(grant.end(), time.nanoTime());
        if (!ours) {
            claim.endNews.missing(reply.missing());
            holding.foundLost(claim, grant);
        }
        return ours;
    }

    /** Waits until the store knows that a lost claim has ended, at most one command time-out. */
    void awaitEnd(Claim claim) {
        await(ending.end(claim.carrier()));
    }

    /** Null: no answer in time. An interrupt does not shorten it, and is not lost. */
    private @Nullable EndReply await(CompletableFuture<@Nullable EndReply> answer) {
        long until = time.nanoTime() + settings.commandTimeoutNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(until - time.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException ex) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException ex) {
            return null;
        } catch (ExecutionException ex) {
            throw new IllegalStateException("an end is answered or owed, it never fails", ex);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
