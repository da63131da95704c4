package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.faults.HoldHistory.Hold;
import dev.baton.lock.faults.HoldHistory.Kind;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes at random, and becomes a reader of some locks that it has written. Keeps its own history, because a lock may
 * have several holders.
 */
record SharedContender(BatonContender contender, HoldHistory history, AtomicLong downgrades) implements Contender {

    @Override
    public @Nullable HeldLock acquire(String name, Duration wait, LeaseKind kind) {
        boolean writes = ThreadLocalRandom.current().nextInt(3) == 0;
        LockRequest asked = LockRequest.of(name).waitTime(wait).mode(writes ? LockMode.EXCLUSIVE : LockMode.SHARED);
        LockRequest request = kind == LeaseKind.RENEWED ? asked : asked.expire(FaultRun.LIMITED);
        LockTemplate locks = contender.locks();
        try {
            Held held =
                    new Held(history.begin(name, writes ? Kind.WRITER : Kind.READER, 1, locks.acquire(request), null));
            if (writes && ThreadLocalRandom.current().nextBoolean()) {
                downgrade(name, held, locks, request.mode(LockMode.SHARED));
            }
            return held;
        } catch (LockException refused) {
            return null;
        }
    }

    /** Becomes a reader after a moment as a writer. */
    private void downgrade(String name, Held held, LockTemplate locks, LockRequest shared) {
        held.remaining();
        Lease reader;
        try {
            reader = locks.acquire(shared);
        } catch (LockException lost) {
            return;
        }
        Hold writer = held.hold;
        writer.ends();
        writer.lease().release();
        downgrades.incrementAndGet();
        held.unsure = writer.lease().fencingToken();
        held.hold = history.begin(name, Kind.READER, 1, reader, writer);
        held.remaining();
    }

    private static final class Held implements HeldLock {

        private Hold hold;
        private long unsure = -1;

        Held(Hold hold) {
            this.hold = hold;
        }

        @Override
        public long token() {
            return hold.lease().fencingToken();
        }

        @Override
        public Duration remaining() {
            return hold.remaining(unsure);
        }

        @Override
        public void release() {
            hold.ends();
            hold.lease().release();
        }
    }

    @Override
    public void close() {
        contender.close();
    }
}
