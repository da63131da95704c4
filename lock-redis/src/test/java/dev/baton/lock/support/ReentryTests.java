package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockStoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Owners: re-entry, other threads, namespaces, interrupts, and the end of the template. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#all")
class ReentryTests extends OnBackend {

    private LockTemplate template;

    ReentryTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void startTemplate() {
        template = processes.start();
    }

    @Test
    void reentryCostsNoCommandAndKeepsTheLockUntilTheLastRelease() {
        Lease outer = template.acquire(LockRequest.of("x"));
        redis.resetStats();
        Lease inner = template.acquire(LockRequest.of("x"));
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.waited()).isZero();
        assertThat(outer.release()).isTrue();
        assertThat(outer.isHeld()).isFalse();
        assertThat(inner.isHeld()).isTrue();
        assertThat(redis.commandStats()).doesNotContainKey("evalsha");
        assertThat(busy("x")).isTrue();
        inner.close();
        inner.close();
        assertThat(busy("x")).isFalse();
    }

    @Test
    void innerRequestExtendsAShorterOuterLease() {
        try (Lease outer = template.acquire(LockRequest.of("x").expire(Duration.ofSeconds(2)))) {
            try (Lease inner = template.acquire(LockRequest.of("x").expire(Duration.ofSeconds(20)))) {
                assertThat(inner.remaining()).isGreaterThan(Duration.ofSeconds(15));
                assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(15));
            }
        }
    }

    @Test
    void workUnderALostLeaseIsRefusedTheLock() {
        LockRequest limited = LockRequest.of("x").expire(Duration.ofSeconds(20));
        assertThatThrownBy(() -> template.execute(limited, outer -> {
                    redis.command("DEL", "lock:lock:{x.global}");
                    assertThat(outer.renew()).isFalse();
                    assertThatThrownBy(() -> template.acquire(LockRequest.of("x")))
                            .isInstanceOf(LockLostException.class);
                    return outer;
                }))
                .isInstanceOf(LockLostException.class);
        template.acquire(LockRequest.of("x")).close();
    }

    @Test
    void lostLeaseDoesNotBarItsThreadFromTheLock() {
        Lease lost = template.acquire(LockRequest.of("x").expire(Duration.ofSeconds(20)));
        redis.command("DEL", "lock:lock:{x.global}");
        assertThat(lost.renew()).isFalse();
        try (Lease fresh = template.acquire(LockRequest.of("x"))) {
            assertThat(fresh.fencingToken()).isGreaterThan(lost.fencingToken());
            assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
            assertThat(fresh.isHeld()).isTrue();
        }
    }

    @Test
    void requestThatIsNotReentrantFailsAtOnce() {
        template.execute(LockRequest.of("x"), lease -> {
            assertThatThrownBy(() -> template.acquire(LockRequest.of("x").reentrant(false)))
                    .isInstanceOf(LockDeadlockException.class)
                    .hasMessageContaining("x.global");
            return lease;
        });
    }

    @Test
    void otherThreadWaitsAndMayReleaseALeaseItWasGiven() throws Exception {
        Lease lease = template.acquire(LockRequest.of("x"));
        assertThat(busy("x")).isTrue();
        assertThat(CompletableFuture.supplyAsync(lease::release).get(5, TimeUnit.SECONDS))
                .isTrue();
        assertThat(busy("x")).isFalse();
    }

    @Test
    void namespacesAreApartAndNest() {
        LockOperations orders = template.withNamespace("orders");
        try (Lease lease = orders.withNamespace("eu").acquire(LockRequest.of("x"))) {
            assertThat(lease.redisKeys()).containsExactly("lock:orders:eu:lock:{x.global}");
            assertThat(redis.keys()).contains("lock:orders:eu:lock:{x.global}");
            template.acquire(LockRequest.of("x")).close();
            assertThatThrownBy(() ->
                            orders.acquire(LockRequest.of("x").namespace("eu").reentrant(false)))
                    .isInstanceOf(LockDeadlockException.class);
        }
    }

    @Test
    void tryReportsWhoHoldsIt() throws Exception {
        LockTemplate other = processes.start();
        try (Lease lease = template.acquire(LockRequest.of("x"))) {
            LockResult<String> result = other.tryExecute(LockRequest.of("x"), held -> "done");
            assertThat(result).isInstanceOfSatisfying(LockResult.Busy.class, busy -> {
                assertThat(busy.holder().owner()).isEqualTo(lease.owner());
                assertThat(busy.holder().label())
                        .contains(Thread.currentThread().getName());
                assertThat(busy.remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
            });
        }
        assertThat(other.tryExecute(LockRequest.of("x"), held -> "done")).isEqualTo(new LockResult.Executed<>("done"));
    }

    @Test
    void interruptLeavesTheQueueAndKeepsTheFlag() throws Exception {
        LockTemplate other = processes.start();
        try (Lease lease = template.acquire(LockRequest.of("x"))) {
            CompletableFuture<Boolean> flag = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    other.acquire(LockRequest.of("x").waitUnbounded());
                } catch (LockInterruptedException ex) {
                    flag.complete(Thread.currentThread().isInterrupted());
                }
            });
            waiter.start();
            org.awaitility.Awaitility.await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
            waiter.interrupt();
            assertThat(flag.get(5, TimeUnit.SECONDS)).isTrue();
            org.awaitility.Awaitility.await().until(() -> !redis.keys().contains("lock:queue:{x.global}"));
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void stoppedTemplateWakesItsWaitersAndRefuses() throws Exception {
        LockTemplate other = processes.start();
        try (Lease lease = template.acquire(LockRequest.of("x"))) {
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    other.acquire(LockRequest.of("x").waitUnbounded());
                } catch (RuntimeException ex) {
                    failure.complete(ex);
                }
            });
            waiter.start();
            org.awaitility.Awaitility.await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
            other.close();
            assertThat(failure.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("is stopping");
            assertThat(redis.keys()).doesNotContain("lock:queue:{x.global}");
            assertThatThrownBy(() -> other.acquire(LockRequest.of("y"))).isInstanceOf(LockStoreException.class);
            assertThat(lease.isHeld()).isTrue();
        }
        other.start();
        assertThat(other.execute(LockRequest.of("y"), Lease::isHeld)).isTrue();
    }

    private boolean busy(String scope) {
        return processes
                .other()
                .tryAcquire(LockRequest.of(scope))
                .map(lease -> !lease.release())
                .orElse(true);
    }
}
