package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks under test.
 *
 * @param limited the lease of requests that are not renewed
 */
record BatonContender(Engine engine, Duration limited) implements Contender {

    static BatonContender start(Backend backend, String host, int port) {
        Engine engine = Engine.start(
                backend.connect(host, port),
                builder -> builder.expire(FaultRun.LEASE)
                        .recheck(FaultRun.RECHECK)
                        .commandTimeout(FaultRun.COMMAND_TIMEOUT));
        return new BatonContender(engine, FaultRun.LIMITED);
    }

    /** Starts a process whose store has these settings. Does not wait for its subscription. */
    static BatonContender start(Connections connections, Consumer<RedisLockStore.Builder> settings, Duration limited) {
        Engine engine = Engine.startDeaf(
                connections,
                settings,
                builder -> builder.expire(FaultRun.LEASE)
                        .recheck(FaultRun.RECHECK)
                        .commandTimeout(FaultRun.COMMAND_TIMEOUT));
        return new BatonContender(engine, limited);
    }

    LockTemplate locks() {
        return engine.locks();
    }

    @Override
    public @Nullable HeldLock acquire(String name, Duration wait, LeaseKind kind) {
        LockRequest request = LockRequest.of(name).waitTime(wait);
        try {
            return new BatonLock(locks().acquire(kind == LeaseKind.RENEWED ? request : request.expire(limited)));
        } catch (LockException refused) {
            return null;
        }
    }

    @Override
    public @Nullable HeldLock acquire(Wish wish) throws InterruptedException {
        LockRequest request =
                LockRequest.ofAll("k", wish.names()).waitTime(wish.waitTime()).owner(wish.tag());
        LockRequest leased = wish.lease() == LeaseKind.RENEWED ? request : request.expire(limited);
        try {
            return wish.cancelAfter() == null
                    ? new BatonLock(locks().acquire(leased))
                    : cancel(locks().acquireAsync(leased).toCompletableFuture(), wish.cancelAfter());
        } catch (LockException | CompletionException refused) {
            return null;
        }
    }

    /** Returns {@code null} if the acquisition was cancelled before its grant. */
    private static @Nullable HeldLock cancel(CompletableFuture<Lease> lease, Duration after)
            throws InterruptedException {
        try {
            TimeUnit.NANOSECONDS.sleep(after.toNanos());
        } catch (InterruptedException ex) {
            if (!lease.cancel(true) && !lease.isCompletedExceptionally()) {
                lease.join().release();
            }
            throw ex;
        }
        return lease.cancel(true) ? null : new BatonLock(lease.join());
    }

    @Override
    public void close() {
        engine.close();
    }

    private record BatonLock(Lease lease) implements HeldLock {

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
