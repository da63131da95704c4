package dev.baton.lock.engine.wait;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decides when waiters ask again. Pure; durations are nanoseconds. */
public final class WaitPolicy {

    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_SPREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long TELLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NEVER = 0;

    private final long recheckNanos;
    /** The longest pause between polls, or {@link #NEVER} if the waiters do not poll. */
    private final long pollingNanos;

    WaitPolicy(long recheckNanos) {
        this(recheckNanos, NEVER);
    }

    private WaitPolicy(long recheckNanos, long pollingNanos) {
        this.recheckNanos = recheckNanos;
        this.pollingNanos = pollingNanos;
    }

    /**
     * Returns the policy of a waiter.
     *
     * @param polling the longest pause between its polls, or {@code null} if it does not poll
     */
    static WaitPolicy of(Duration recheck, @Nullable Duration polling) {
        return polling == null ? new WaitPolicy(recheck.toNanos()) : polling(recheck.toNanos(), polling.toNanos());
    }

    /** Returns a policy that asks again after a pause of at most the interval, which is positive. */
    static WaitPolicy polling(long recheckNanos, long intervalNanos) {
        return new WaitPolicy(recheckNanos, intervalNanos);
    }

    /**
     * Returns how long to wait before asking again: until the holder's lease ends, or for one recheck, whichever is
     * first. A policy that polls waits uniformly up to its interval, but at least 1 ms.
     *
     * @param remainingNanos the rest of the holder's lease
     * @param random a number in [0, 1) that spreads the processes, never beyond one recheck
     * @param inTurn whether the acquire was sent because a recheck had passed. The processes are then spread already,
     *     with at most one acquire per recheck
     */
    long afterBusy(long remainingNanos, double random, boolean inTurn) {
        if (pollingNanos != NEVER) {
            return Math.max(SHORTEST_PAUSE_NANOS, (long) (pollingNanos * random));
        }
        long spread = Math.min(LONGEST_SPREAD_NANOS, recheckNanos / 10);
        long atExpiry = Math.min(remainingNanos, recheckNanos) + (long) (spread * random) + 1;
        long atRecheck = inTurn ? recheckNanos : recheckNanos - (long) (recheckNanos / 5.0 * random);
        return Math.max(SHORTEST_PAUSE_NANOS, Math.min(atExpiry, atRecheck));
    }

    /**
     * Returns how long to wait after a failed acquire: longer each time, up to one recheck.
     *
     * @param failures the number of consecutive failures, from 1
     */
    long afterFailure(int failures, double random) {
        long backOff = FIRST_RETRY_NANOS << Math.min(failures - 1, 10);
        return (long) (Math.min(backOff, recheckNanos) * (1 - random / 5));
    }

    /**
     * Returns how long an acquire must stay without an answer before this says something about the store. If the wait
     * ends sooner, a slow network or a busy machine may be the reason.
     *
     * @param commandTimeoutNanos the longest time for which an answer is awaited
     */
    public static long tellingNanos(long commandTimeoutNanos) {
        return Math.min(TELLING_NANOS, commandTimeoutNanos);
    }
}
