package dev.baton.lock.engine;

import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import dev.baton.lock.time.Uninterruptibly;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Releases locks. Waits for the confirmation of the store, at most for one command time-out. Does not wait at all if
 * all of these hold: releases are pipelined, the local clock proves that the lease is valid, the store is known to
 * carry out the release before every later command, and not too many answers are outstanding already.
 */
public final class LeaseReleaser {

    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final LeaseMonitor leases;
    private final LeaseKeeper keeper;
    private final EndDispatcher ends;
    private final CohortRegistry cohorts;
    private final UnconfirmedReleases unconfirmed;

    LeaseReleaser(
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            LeaseMonitor leases,
            LeaseKeeper keeper,
            EndDispatcher ends,
            CohortRegistry cohorts) {
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.leases = leases;
        this.keeper = keeper;
        this.ends = ends;
        this.cohorts = cohorts;
        this.unconfirmed = new UnconfirmedReleases(executors, time, settings.commandTimeoutNanos());
    }

    /** A release that has begun, with its answer, and whether the caller waits for that answer. */
    private record Begun(Grant grant, long releasedAt, CompletableFuture<@Nullable EndReply> answer, boolean awaited) {}

    /**
     * Releases a lock. Returns {@code false} if the lease was lost. Without an answer in time, returns {@code true}:
     * the lease was valid as far as the local clock can tell, and the end stays owed. An interrupt does not shorten the
     * wait for the answer, and stays set.
     */
    public boolean release(Acquisition acquisition) {
        Begun begun = begin(acquisition, true);
        if (begun == null) {
            return false;
        }
        if (!begun.awaited()) {
            return !acquisition.isLost();
        }
        // the release may have been sent in this thread, so count from its begin
        long left = settings.commandTimeoutNanos() - (time.nanoTime() - begun.releasedAt());
        return settle(acquisition, begun, Uninterruptibly.await(begun.answer(), left));
    }

    /**
     * As {@link #release(Acquisition)}. The future is already complete, or completes within one command time-out where stages
     * complete.
     */
    public CompletableFuture<Boolean> releaseAsync(Acquisition acquisition) {
        Begun begun = begin(acquisition, false);
        if (begun == null || !begun.awaited()) {
            return CompletableFuture.completedFuture(begun != null && !acquisition.isLost());
        }
        CompletableFuture<@Nullable EndReply> first = new CompletableFuture<>();
        begun.answer().thenAccept(first::complete);
        ScheduledFuture<?> timer = executors.onAsker(settings.commandTimeoutNanos(), () -> first.complete(null));
        return first.thenApplyAsync(
                reply -> {
                    if (timer != null) {
                        timer.cancel(false);
                    }
                    return settle(acquisition, begun, reply);
                },
                executors::complete);
    }

    /** Waits for the answer to a downgrade, at most for one command time-out. Returns whether the lease is valid. */
    public boolean awaitDowngrade(Acquisition acquisition, CompletableFuture<Boolean> answer) {
        Boolean said = Uninterruptibly.await(answer, settings.commandTimeoutNanos());
        return said == null ? acquisition.grant() != null : said;
    }

    /**
     * Begins a release. Returns {@code null} if the lease was lost.
     *
     * @param blocking whether the calling thread waits for the answer, unless the release is pipelined
     */
    private @Nullable Begun begin(Acquisition acquisition, boolean blocking) {
        Grant grant = acquisition.grant();
        if (grant == null) {
            return null;
        }
        Ticket ticket = acquisition.ticket();
        boolean pipelined = settings.pipelined() && leases.isTimely(ticket);
        long releasedAt = time.nanoTime();
        if (!keeper.isHeld(acquisition, grant) || !acquisition.end(grant, Phase.Why.RELEASED, releasedAt, "")) {
            return null;
        }
        CompletableFuture<@Nullable EndReply> answer = cohorts.end(acquisition, blocking && !settings.pipelined());
        boolean awaited = !pipelined || answer.isDone() || !ends.isInOrder(ticket) || !unconfirmed.enter();
        if (!awaited) {
            UnconfirmedReleases.Release release = unconfirmed.begin(acquisition.title(), releasedAt);
            answer.thenAccept(reply -> settleLate(acquisition, grant, release, releasedAt, reply));
        }
        return new Begun(grant, releasedAt, answer, awaited);
    }

    /**
     * Applies the answer to a release. A later answer may still reveal a loss.
     *
     * @param reply the answer, or {@code null} if none arrived in time
     */
    private boolean settle(Acquisition acquisition, Begun begun, @Nullable EndReply reply) {
        if (reply != null) {
            return settle(acquisition, begun.grant(), reply, time.nanoTime());
        }
        if (acquisition.isLost()) {
            return false;
        }
        UnconfirmedReleases.warnUnconfirmed(acquisition.title());
        begun.answer().thenAccept(late -> {
            if (late != null) {
                settle(acquisition, begun.grant(), late, begun.releasedAt());
            }
        });
        return true;
    }

    /** Applies the answer to a release that its caller did not wait for. Runs on any thread. */
    private void settleLate(
            Acquisition acquisition,
            Grant grant,
            UnconfirmedReleases.Release release,
            long releasedAt,
            @Nullable EndReply reply) {
        if (reply == null) {
            release.warn();
        } else {
            settle(acquisition, grant, reply, releasedAt);
        }
        unconfirmed.end(release);
    }

    /**
     * Applies an answer to the lease. Returns whether the lease was valid when it was released.
     *
     * @param oursAt the time that decides if an earlier end may have been carried out: the lease was valid if its local
     *     end had not passed by then
     */
    private boolean settle(Acquisition acquisition, Grant grant, EndReply reply, long oursAt) {
        acquisition.handedTo(reply.handedTo());
        if (acquisition.isLost()) {
            return false;
        }
        boolean ours = reply.role() == EndReply.Role.HOLDER
                || reply.possiblyRepeated() && reply.missing().isEmpty() && !LeaseClock.isOver(grant.end(), oursAt);
        if (!ours) {
            acquisition.ticket().missing(reply.missing());
            acquisition.foundLost(time.nanoTime(), LossReasons.UNKNOWN);
        }
        return ours;
    }

    /** Waits until the store knows that a lost lease has ended, at most for one command time-out. */
    public void awaitEnd(Acquisition acquisition) {
        Uninterruptibly.await(ends.end(acquisition.ticket()), settings.commandTimeoutNanos());
    }

    /** Returns the number of releases that have no answer yet, and whose callers do not wait for it. */
    public int unanswered() {
        return unconfirmed.size();
    }

    /** Logs the releases without an answer. Called when the engine has waited for answers as long as it may. */
    void report() {
        unconfirmed.report();
    }
}
