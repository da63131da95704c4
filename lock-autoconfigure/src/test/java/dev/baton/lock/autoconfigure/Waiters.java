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

/** Awaits holders of and waiters for a lock. */
final class Waiters {

    private Waiters() {}

    /** Returns when the lock is held. */
    static void awaitHeld(TestRedis redis, String name) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> redis.command("EXISTS", "lock:lock:{" + name + "}").equals(1L));
    }

    /** Returns when the lock is free. */
    static void awaitFree(TestRedis redis, String name) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> redis.command("EXISTS", "lock:lock:{" + name + "}").equals(0L));
    }

    /** Returns when the given number of requests waits for the lock. */
    static void awaitQueue(LockOperations locks, LockRequest request, long waiters) {
        await().until(() -> locks.inspect(request).waiting() == waiters);
    }

    /** Lets one request wait and be granted the lock, which starts all threads and connections that this needs. */
    static void letOneWait(LockOperations locks, LockRequest request) throws Exception {
        Lease holder = locks.acquire(request);
        CompletableFuture<Lease> waiting = locks.acquireAsync(request).toCompletableFuture();
        awaitQueue(locks, request, 1);
        holder.close();
        waiting.get(30, TimeUnit.SECONDS).close();
    }

    /** Returns the number of threads of this JVM. */
    static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
