package dev.baton.lock.faults;

import dev.baton.lock.LockException;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.faults.HoldHistory.Hold;
import dev.baton.lock.faults.HoldHistory.Kind;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Takes some permits of a semaphore. Keeps its own history, because a semaphore has several holders. */
record PermitContender(BatonContender contender, HoldHistory history) implements Contender {

    static final int SIZE = 4;

    @Override
    public @Nullable HeldLock acquire(String name, Duration wait, LeaseKind kind) {
        int permits = 1 + ThreadLocalRandom.current().nextInt(3);
        LockRequest asked =
                LockRequest.of(name).permits(new LockPermits(SIZE, permits)).waitTime(wait);
        LockRequest request = kind == LeaseKind.RENEWED ? asked : asked.expire(FaultRun.LIMITED);
        try {
            return new Held(
                    history.begin(name, Kind.PERMITS, permits, contender.locks().acquire(request), null));
        } catch (LockException refused) {
            return null;
        }
    }

    @Override
    public void close() {
        contender.close();
    }

    /** A hold that ends with its release. */
    record Held(Hold hold) implements HeldLock {

        @Override
        public long token() {
            return hold.lease().fencingToken();
        }

        @Override
        public Duration remaining() {
            return hold.remaining();
        }

        @Override
        public void release() {
            hold.ends();
            hold.lease().release();
        }
    }
}
