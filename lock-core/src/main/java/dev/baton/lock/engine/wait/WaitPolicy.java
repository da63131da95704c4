package dev.baton.lock.engine.wait;

import dev.baton.lock.store.LockStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** When those who wait ask again. Pure; durations in nanoseconds. */
public final class WaitPolicy {

    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_SPREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long TELLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NEVER = 0;

    private final long recheckNanos;
    /** The longest pause of one that polls; {@link #NEVER}: it does not poll. */
    private final long pollingNanos;

    WaitPolicy(long recheckNanos) {
        this(recheckNanos, NEVER);
    }

    private WaitPolicy(long recheckNanos, long pollingNanos) {
        this.recheckNanos = recheckNanos;
        this.pollingNanos = pollingNanos;
    }

    /** As the store has those wait that wait for it. */
    static WaitPolicy of(LockStore store, Duration recheck) {
        Duration interval = store.traits().pollingInterval();
        return interval == null ? new WaitPolicy(recheck.toNanos()) : polling(recheck.toNanos(), interval.toNanos());
    }

    /** Asks again after a pause of up to the interval, which is positive. */
    static WaitPolicy polling(long recheckNanos, long intervalNanos) {
        return new WaitPolicy(recheckNanos, intervalNanos);
    }

    /**
     * How long to wait before asking again: until the holder's lease ends, or a recheck, whichever is first. One that polls:
     * uniformly up to its interval, but at least 1 ms.
     *
     * @param remainingNanos what was left of the holder's lease
     * @param random in [0, 1): spreads the processes, never beyond one recheck
     * @param inTurn whether this was asked because a recheck had gone by, so that the processes are spread already: there is no
     *     more than one question in each
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
     * How long to wait after the store could not be asked: longer each time, up to a recheck.
     *
     * @param failures how many times in a row, from 1
     */
    long afterFailure(int failures, double random) {
        long backOff = FIRST_RETRY_NANOS << Math.min(failures - 1, 10);
        return (long) (Math.min(backOff, recheckNanos) * (1 - random / 5));
    }

    /**
     * How long a question has to be without an answer to say something of the store. If the wait ends sooner, a slow network or a
     * busy machine may be the reason.
     *
     * @param commandTimeoutNanos how long an answer is awaited at most
     */
    public static long tellingNanos(long commandTimeoutNanos) {
        return Math.min(TELLING_NANOS, commandTimeoutNanos);
    }

    /** What is left of a wait, in whole milliseconds, never less than 1; -1: unbounded. */
    static long patienceMillis(boolean unbounded, long deadline, long now) {
        return unbounded ? -1 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - now) + 1);
    }
}
