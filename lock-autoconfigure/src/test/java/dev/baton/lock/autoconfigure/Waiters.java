package dev.baton.lock.autoconfigure;

import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a test sees of those that hold a lock and wait for it. */
final class Waiters {

    private Waiters() {}

    /** Returns when somebody holds the lock. */
    static void awaitHeld(TestRedis redis, String name) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> redis.command("EXISTS", "lock:lock:{" + name + "}").equals(1L));
    }

    /** Returns when nobody holds the lock. */
    static void awaitFree(TestRedis redis, String name) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> redis.command("EXISTS", "lock:lock:{" + name + "}").equals(0L));
    }

    /** Returns when so many wait for the lock. */
    static void awaitQueue(LockOperations locks, LockRequest request, long waiters) {
        await().until(() -> locks.inspect(request).waiting() == waiters);
    }

    /** Has one wait and be granted the lock, so that whatever is needed for that has been started. */
    static void letOneWait(LockOperations locks, LockRequest request) throws Exception {
        Lease holder = locks.acquire(request);
        CompletableFuture<Lease> waiting = locks.acquireAsync(request).toCompletableFuture();
        awaitQueue(locks, request, 1);
        holder.close();
        waiting.get(30, TimeUnit.SECONDS).close();
    }

    /** How many threads this JVM has. */
    static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
