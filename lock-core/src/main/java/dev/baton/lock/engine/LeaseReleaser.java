package dev.baton.lock.engine;

import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import dev.baton.lock.time.Uninterruptibly;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives a lock back. Waits for the confirmation, at most one command time-out; not at all if releases are pipelined, our own
 * clock proves that the lease is valid, the store is known to carry out the release before whatever comes next, and not too many
 * answers are owed already.
 */
public final class LeaseReleaser {

    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final LeaseMonitor leases;
    private final EndDispatcher ends;
    private final CohortRegistry cohorts;
    private final UnconfirmedReleases unconfirmed;

    LeaseReleaser(
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            LeaseMonitor leases,
            EndDispatcher ends,
            CohortRegistry cohorts) {
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.leases = leases;
        this.ends = ends;
        this.cohorts = cohorts;
        this.unconfirmed = new UnconfirmedReleases(executors, time, settings.commandTimeoutNanos());
    }

    /** A release that has begun: its answer, and whether somebody waits for that. */
    private record Begun(Grant grant, long releasedAt, CompletableFuture<@Nullable EndReply> answer, boolean awaited) {}

    /**
     * Releases; false: it was lost. Without an answer it was ours as far as our own clock can tell, the end stays owed, and
     * the answer is true. An interrupt does not shorten the wait for the answer, and is not lost.
     */
    public boolean release(Claim claim) {
        Begun begun = begin(claim);
        if (begun == null) {
            return false;
        }
        return begun.awaited() ? settle(claim, begun, await(begun.answer())) : !isFoundLost(claim);
    }

    /** Whether the loss of a released claim is known by now. */
    private static boolean isFoundLost(Claim claim) {
        return claim.phase() instanceof Claim.Over over && over.why() == Claim.Why.LOST;
    }

    /** As {@link #release(Claim)}; completes on a thread for callbacks, within one command time-out, or is complete. */
    public CompletableFuture<Boolean> releaseAsync(Claim claim) {
        Begun begun = begin(claim);
        if (begun == null || !begun.awaited()) {
            return CompletableFuture.completedFuture(begun != null);
        }
        CompletableFuture<@Nullable EndReply> first = new CompletableFuture<>();
        begun.answer().thenAccept(first::complete);
        ScheduledFuture<?> timer = executors.onAsker(settings.commandTimeoutNanos(), () -> first.complete(null));
        return first.thenApplyAsync(
                reply -> {
                    if (timer != null) {
                        timer.cancel(false);
                    }
                    return settle(claim, begun, reply);
                },
                executors::complete);
    }

    /** Null: it was lost. */
    private @Nullable Begun begin(Claim claim) {
        Grant grant = claim.grant();
        if (grant == null) {
            return null;
        }
        boolean pipelined = settings.pipelined() && leases.isTimely(claim);
        if (!leases.release(claim, grant)) {
            return null;
        }
        long releasedAt = time.nanoTime();
        CompletableFuture<@Nullable EndReply> answer = end(claim);
        boolean awaited = !pipelined || answer.isDone() || !ends.isInOrder(claim) || !unconfirmed.enter();
        if (!awaited) {
            UnconfirmedReleases.Release release = unconfirmed.begin(claim.title, releasedAt);
            answer.thenAccept(reply -> settleLate(claim, grant, release, releasedAt, reply));
        }
        return new Begun(grant, releasedAt, answer, awaited);
    }

    private CompletableFuture<@Nullable EndReply> end(Claim claim) {
        return claim.cohort() == null ? ends.end(claim) : cohorts.end(claim);
    }

    /** Null: no answer in time. One that comes later may still tell of a loss. */
    private boolean settle(Claim claim, Begun begun, @Nullable EndReply reply) {
        if (reply == null) {
            UnconfirmedReleases.warnUnconfirmed(claim.title);
            begun.answer().thenAccept(late -> {
                if (late != null) {
                    settle(claim, begun.grant(), late, begun.releasedAt());
                }
            });
            return true;
        }
        return settle(claim, begun.grant(), reply, time.nanoTime());
    }

    /** On any thread; whoever released has gone on. */
    private void settleLate(
            Claim claim, Grant grant, UnconfirmedReleases.Release release, long releasedAt, @Nullable EndReply reply) {
        if (reply == null) {
            release.warn();
        } else {
            settle(claim, grant, reply, releasedAt);
        }
        unconfirmed.end(release);
    }

    /**
     * Makes of an answer what it says of the lease.
     *
     * @param oursAt when it was ours if its local end had not passed by then, should an earlier end have been carried out
     */
    private boolean settle(Claim claim, Grant grant, EndReply reply, long oursAt) {
        claim.releaseOutcome.handedTo(reply.handedTo());
        if (isFoundLost(claim)) {
            return false;
        }
        boolean ours = reply.role() == EndReply.Role.HOLDER
                || reply.possiblyRepeated() && reply.missing().isEmpty() && !LeaseClock.isOver(grant.end(), oursAt);
        if (!ours) {
            claim.releaseOutcome.missing(reply.missing());
            leases.foundLost(claim, grant);
        }
        return ours;
    }

    /** Waits until the store knows that a lost claim has ended, at most one command time-out. */
    public void awaitEnd(Claim claim) {
        await(ends.end(claim.carrier()));
    }

    /** Releases that were not answered yet, and that nobody waits for. */
    public int unanswered() {
        return unconfirmed.size();
    }

    /** The engine has stopped, and has waited for answers as long as it may. */
    void report() {
        unconfirmed.report();
    }

    /** Null: no answer in time. */
    private @Nullable EndReply await(CompletableFuture<@Nullable EndReply> answer) {
        return Uninterruptibly.await(answer, settings.commandTimeoutNanos());
    }
}
