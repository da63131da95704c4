package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Owners that a request names: shared by the threads and callbacks of one process. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class OwnerTests extends OnBackend {

    private static final LockRequest CONN_17 =
            LockRequest.of("address", "10.0.0.7").owner("conn-17");
    private static final LockRequest CONN_18 =
            LockRequest.of("address", "10.0.0.7").owner("conn-18");

    private final ExecutorService callbacks = Executors.newCachedThreadPool();
    private LockTemplate template;

    OwnerTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        template = processes.start();
    }

    @AfterEach
    void stop() {
        callbacks.shutdownNow();
    }

    /** The example of redis-em-mutex: one connection per address, to any of the servers. */
    @Test
    void oneConnectionPerAddress() throws Exception {
        Lease connection =
                template.tryAcquire(CONN_17.expire(Duration.ofSeconds(20))).orElseThrow();
        assertThat(template.tryAcquire(CONN_18)).as("on this server").isEmpty();
        assertThat(processes.other().tryAcquire(CONN_18)).as("on another").isEmpty();

        // data arrives, handled by whichever thread
        redis.command("PEXPIRE", "lock:lock:{address.10.0.0.7}", "15000");
        assertThat(inCallback(() -> connection.renew())).isTrue();
        assertThat(redis.ttl("lock:lock:{address.10.0.0.7}")).isGreaterThan(18_000);
        assertThat(processes.other().tryAcquire(CONN_18)).isEmpty();

        // the connection is closed
        assertThat(inCallback(() -> connection.release())).isTrue();
        assertThat(processes.other().tryAcquire(CONN_18)).hasValueSatisfying(Lease::close);
    }

    @Test
    void ownerEntersFromAnyThreadWithoutACommand() throws Exception {
        Lease outer = template.acquire(CONN_17);
        redis.resetStats();
        Lease inner = inCallback(() -> template.acquire(CONN_17));
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.owner()).isEqualTo(outer.owner());
        assertThat(inner.attempts()).isZero();
        assertThat(inner.waited()).isZero();
        assertThat(outer.release()).isTrue();
        assertThat(inner.isHeld()).isTrue();
        assertThat(redis.commandStats()).doesNotContainKeys("evalsha", "eval");
        assertThat(processes.other().tryAcquire(CONN_18)).isEmpty();
        inner.close();
        assertThat(processes.other().tryAcquire(CONN_18)).hasValueSatisfying(Lease::close);
    }

    @Test
    void innerRequestOfAnotherThreadExtendsAShorterLease() throws Exception {
        Lease outer = template.acquire(CONN_17.expire(Duration.ofSeconds(2)));
        Lease inner = inCallback(() -> template.acquire(CONN_17.expire(Duration.ofSeconds(20))));
        assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(15));
        inner.close();
        outer.close();
    }

    @Test
    void lostLeaseDoesNotBarItsOwnerFromTheLock() throws Exception {
        Lease lost = template.acquire(CONN_17.expire(Duration.ofSeconds(20)));
        redis.command("DEL", "lock:lock:{address.10.0.0.7}");
        assertThat(lost.renew()).isFalse();
        Lease fresh = inCallback(() -> template.acquire(CONN_17));
        assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
        assertThat(fresh.release()).isTrue();
    }

    @Test
    void requestThatIsNotReentrantFailsAtOnceInAnyThread() {
        Lease outer = template.acquire(CONN_17);
        assertThatThrownBy(() -> inCallback(() -> template.acquire(CONN_17.reentrant(false))))
                .hasRootCauseInstanceOf(LockDeadlockException.class)
                .hasStackTraceContaining("conn-17");
        assertThat(outer.release()).isTrue();
        template.acquire(CONN_17.reentrant(false)).close();
    }

    @Test
    void sameOwnerOfAnotherProcessIsAnotherOwner() {
        try (Lease lease = template.acquire(CONN_17)) {
            assertThat(processes.other().tryAcquire(CONN_17)).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
        try (Lease lease = processes.other().acquire(CONN_17)) {
            assertThat(lease.owner()).endsWith(":o:conn-17");
        }
    }

    @Test
    void chosenOwnerIsNeverAThread() {
        String thread = "t" + Thread.currentThread().getId();
        try (Lease lease = template.acquire(LockRequest.of("x"))) {
            assertThat(lease.owner()).endsWith(":" + thread);
            assertThat(template.tryAcquire(LockRequest.of("x").owner(thread))).isEmpty();
        }
        try (Lease lease = template.acquire(LockRequest.of("x").owner(thread))) {
            assertThat(template.tryAcquire(LockRequest.of("x"))).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void labelSaysWhoAndSinceWhen() {
        try (Lease lease = template.acquire(CONN_17)) {
            await().pollDelay(Duration.ofMillis(30)).until(() -> true);
            LockResult<String> refused = processes.other().tryExecute(CONN_18, held -> "done");
            assertThat(refused).isInstanceOfSatisfying(LockResult.Busy.class, busy -> {
                assertThat(busy.holder().label())
                        .endsWith(":" + ProcessHandle.current().pid() + "/conn-17");
                assertThat(busy.holder().owner()).isEqualTo(lease.owner());
                assertThat(busy.holder().heldFor()).isBetween(Duration.ofMillis(25), Duration.ofSeconds(10));
            });
        }
    }

    @Test
    void threadsOfOneOwnerThatAskTogetherAreAllLetIn() throws Exception {
        for (int round = 0; round < 30; round++) {
            Lease first = inCallback(() -> processes.other().acquire(CONN_17));
            AtomicInteger entered = new AtomicInteger();
            var threads = IntStream.range(0, 6)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> {
                                Optional<Lease> lease = template.tryAcquire(CONN_17.waitTime(Duration.ofSeconds(5)));
                                lease.ifPresent(held -> entered.incrementAndGet());
                                return lease;
                            },
                            callbacks))
                    .toList();
            first.close();
            // each is in before any of them leaves
            for (CompletableFuture<Optional<Lease>> thread : threads) {
                assertThat(thread.get(4, TimeUnit.SECONDS)).isPresent();
            }
            assertThat(entered).hasValue(6);
            for (CompletableFuture<Optional<Lease>> thread : threads) {
                assertThat(thread.join().orElseThrow().release()).isTrue();
            }
        }
        await().until(() -> EngineCounters.openRequests(template) == 0);
        PipelinedMode.assertReleased(() -> assertThat(redis.lastingKeys()).containsExactly("lock:fence"));
    }

    @Test
    void triesOfOneOwnerThatAskTogetherAreAllLetIn() throws Exception {
        for (int round = 0; round < 100; round++) {
            var threads = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> template.tryAcquire(CONN_17), callbacks))
                    .toList();
            for (CompletableFuture<Optional<Lease>> thread : threads) {
                assertThat(thread.get(4, TimeUnit.SECONDS)).isPresent();
            }
            for (CompletableFuture<Optional<Lease>> thread : threads) {
                assertThat(thread.join().orElseThrow().release()).isTrue();
            }
            // a try whose owner was let in meanwhile may be carried out, and ended, after that: not without an order of
            // commands
            await().pollInterval(Duration.ofMillis(1)).until(() -> EngineCounters.openRequests(template) == 0);
        }
    }

    @Test
    void restartIsANewIdentityAndLosesWhatWasHeld() {
        Lease byThread = template.acquire(LockRequest.of("x"));
        Lease byOwner = template.acquire(CONN_17);
        CompletableFuture<String> told = new CompletableFuture<>();
        byOwner.onLost(() -> told.complete("told"));
        String before = byThread.owner();

        // what a checkpoint and a restore do
        template.stop();
        template.start();

        assertThat(told).succeedsWithin(Duration.ofSeconds(2));
        assertThat(byThread.isHeld()).isFalse();
        assertThat(byThread.isExpired()).isTrue();
        assertThat(byThread.renew()).isFalse();
        assertThat(template.tryAcquire(LockRequest.of("x")))
                .as("not freed for its owner, either")
                .isEmpty();
        assertThatThrownBy(byThread::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("stopped and started again");
        assertThatThrownBy(byOwner::close).isInstanceOf(LockLostException.class);
        assertThat(processes.other().tryAcquire(LockRequest.of("x")))
                .as("not freed under work that may still go on")
                .isEmpty();
        try (Lease after = template.acquire(LockRequest.of("y"))) {
            assertThat(after.isHeld()).isTrue();
            assertThat(after.owner()).isNotEqualTo(before);
        }
    }

    private <T> T inCallback(Supplier<T> call) throws Exception {
        return CompletableFuture.supplyAsync(call, callbacks).get(8, TimeUnit.SECONDS);
    }
}
