package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.time.Duration;

/**
 * Holds one lock while it has the turn, and waits at its own condition of that lock for the next turn. It looks at no data: the
 * rally checks afterwards that no wait ended without a signal.
 */
final class ConditionPlayer implements Player {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final int me;
    private Lease lease;

    /** Acquires the lock. */
    ConditionPlayer(LockOperations locks, String name, int me) {
        this.me = me;
        this.lease = locks.acquire(LockRequest.of("bench", name));
    }

    @Override
    public void await() throws InterruptedException {
        LeaseCondition.Woken woken = lease.condition(turnOf(me)).await(LONGEST_WAIT);
        lease = woken.lease();
        if (!woken.inTime()) {
            throw new IllegalStateException(
                    "Player " + me + " was not signalled within " + LONGEST_WAIT.toSeconds() + " s");
        }
    }

    @Override
    public void pass() {
        lease.condition(turnOf(1 - me)).signal();
    }

    private static String turnOf(int player) {
        return "turn-" + player;
    }

    @Override
    public void close() {
        lease.release();
    }
}
