package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** What every set-up has to pass, seen by the processes alone. */
final class Behaviour {

    private static final Duration LONG_RECHECK = Duration.ofSeconds(20);

    private Behaviour() {}

    /**
     * Contends for a lock, waits in vain, renews, loses the subscription, and stops.
     *
     * @param killSubscriptions done once, while all is idle
     */
    static void run(Processes processes, Runnable killSubscriptions) throws Exception {
        Processes.Started one = start(processes);
        Processes.Started other = start(processes);
        handOver(one.template(), other.template());
        waitInVain(one.template(), other.template());
        renew(one.template(), other.template());
        killSubscriptions.run();
        one.store().listenAgain();
        other.store().listenAgain();
        Awaitility.await()
                .until(() -> one.store().isListening() && other.store().isListening());
        handOver(other.template(), one.template());
        one.template().close();
        other.template().close();
    }

    private static Processes.Started start(Processes processes) {
        Processes.Started started =
                processes.startDeaf(builder -> builder.recheck(LONG_RECHECK).expire(Duration.ofSeconds(2)));
        Awaitility.await().atMost(Duration.ofSeconds(3)).until(started.store()::isListening);
        return started;
    }

    /** Several wait; each is told, long before it would ask. */
    static void handOver(LockTemplate one, LockTemplate other) throws Exception {
        LockRequest request = LockRequest.of("x").expire(Duration.ofSeconds(15)).waitTime(Duration.ofSeconds(8));
        Lease lease = one.acquire(request);
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> other.execute(request, Lease::isHeld));
        CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> one.execute(request, Lease::isHeld));
        awaitWaiting(one, 2);
        awaitWaiting(other, 1);
        assertThat(lease.release()).isTrue();
        assertThat(first.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(second.get(5, TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitWaiting(LockTemplate template, int acquisitions) throws Exception {
        Awaitility.await().until(() -> template.engine().openRequests() == acquisitions);
        // its acquire has been answered by then, or will be before the release
        TimeUnit.MILLISECONDS.sleep(100);
    }

    private static void waitInVain(LockTemplate one, LockTemplate other) {
        try (Lease lease = one.acquire(LockRequest.of("y").expire(Duration.ofSeconds(15)))) {
            assertThat(other.tryAcquire(LockRequest.of("y").waitTime(Duration.ofMillis(600))))
                    .isEmpty();
            assertThat(lease.renew()).isTrue();
        }
    }

    private static void renew(LockTemplate one, LockTemplate other) {
        try (Lease lease = one.acquire(LockRequest.of("z"))) {
            assertThat(other.tryAcquire(LockRequest.of("z").waitTime(Duration.ofMillis(3_500))))
                    .isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
