package dev.baton.lock.scenario;


import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;

/** Two processes at the conditions of one lock. */
public abstract class ConditionFixture extends Scenarios {

    static final String LOCK = "k.a";
    static final LockRequest X = LockRequest.of("k", "a").waitUnbounded();
    static final String EMPTY = "notEmpty";
    static final String FULL = "notFull";

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start();
        other = fleet.start();
    }

    protected final <T> Future<T> begin(Callable<T> task) {
        return fleet.begin(task);
    }

    /** Begins to await a condition, and returns whether the lock came back. */
    protected final Future<Boolean> awaiting(LockTemplate process, String condition) {
        return begin(() -> {
            try (Lease lease = process.acquire(X)) {
                return lease.condition(condition).await().isHeld();
            }
        });
    }

    /** Returns when the lock is free, because its holder awaits a condition. */
    protected final void awaitFree() {
        awaitAwaiting(1);
    }

    /** Returns when so many requests await conditions. */
    protected final void awaitAwaiting(int requests) {
        fleet.awaitAwaiting(requests);
    }

    /** Signals one waiter, by a holder. */
    protected static void signal(LockTemplate process, String condition) {
        try (Lease lease = process.acquire(X)) {
            lease.condition(condition).signal();
        }
    }
}
