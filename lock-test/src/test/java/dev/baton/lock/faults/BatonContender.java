package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The locks under test. */
record BatonContender(Engine engine) implements Contender {

    static BatonContender start(String host, int port) {
        return new BatonContender(Engine.start(
                host,
                port,
                builder -> builder.expire(FaultRun.LEASE)
                        .recheck(FaultRun.RECHECK)
                        .commandTimeout(FaultRun.COMMAND_TIMEOUT)));
    }

    LockTemplate locks() {
        return engine.locks();
    }

    @Override
    public @Nullable Holding acquire(String name, Duration wait, LeaseKind kind) {
        LockRequest request = LockRequest.of(name).waitTime(wait);
        try {
            return new Held(locks().acquire(kind == LeaseKind.RENEWED ? request : request.expire(FaultRun.LIMITED)));
        } catch (LockException refused) {
            return null;
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    private record Held(Lease lease) implements Holding {

        @Override
        public long token() {
            return lease.fencingToken();
        }

        @Override
        public Duration remaining() {
            return lease.remaining();
        }

        @Override
        public void release() {
            lease.release();
        }
    }
}
