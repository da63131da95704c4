package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Tests the meters of two processes on one store. */
@ExtendWith(OutputCaptureExtension.class)
class LockMetersTests {

    private static final LockRequest REQUEST = LockRequest.of("x", 1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SimpleMeterRegistry otherRegistry = new SimpleMeterRegistry();
    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final LockTemplate locks = template(store, new LockMeters(registry, 3, false));
    private final LockTemplate other = template(store.newProcess(), new LockMeters(otherRegistry, 3, false));

    @AfterEach
    void stop() {
        locks.close();
        other.close();
    }

    @Test
    void registeredMetersAreThoseOfTheEnum() throws Exception {
        everythingThatHappens();
        Set<String> expected =
                Arrays.stream(LockMeter.values()).map(LockMeter::key).collect(Collectors.toSet());
        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getName())
                        .collect(Collectors.toSet()))
                .isEqualTo(expected);
        for (LockMeter documented : LockMeter.values()) {
            for (Meter meter : registry.find(documented.key()).meters()) {
                assertThat(meter.getId().getType()).as(documented.key()).isEqualTo(documented.type());
                assertThat(meter.getId().getDescription()).isEqualTo(documented.meaning());
                assertThat(meter.getId().getTags().stream()
                                .map(tag -> tag.getKey())
                                .toList())
                        .as(documented.key())
                        .containsExactlyInAnyOrderElementsOf(documented.tags().stream()
                                .map(LockMeter.Tag::key)
                                .toList());
            }
        }
    }

    private void everythingThatHappens() throws Exception {
        Lease lease = locks.acquire(REQUEST);
        CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> locks.acquire(REQUEST));
        await().until(() -> gauge("baton.waiting") == 1);
        lease.close();
        waiting.get().close();
        locks.tryAcquire(REQUEST).orElseThrow().close();
    }

    @Test
    void requestsAreCountedByOutcome() throws Exception {
        try (Lease held = locks.acquire(REQUEST)) {
            assertThat(other.tryAcquire(REQUEST)).isEmpty();
            assertThatThrownBy(() -> locks.acquire(REQUEST.reentrant(false))).isInstanceOf(LockDeadlockException.class);
            CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    other.acquire(REQUEST).close();
                } catch (LockInterruptedException ex) {
                    interrupted.complete(ex);
                }
            });
            waiter.start();
            await().until(() -> gauge(otherRegistry, "baton.waiting") == 1);
            waiter.interrupt();
            assertThat(interrupted.get()).isNotNull();
            CompletableFuture<Lease> stage = other.acquireAsync(REQUEST).toCompletableFuture();
            await().until(() -> gauge(otherRegistry, "baton.waiting") == 1);
            stage.cancel(false);
            await().until(() -> gauge(otherRegistry, "baton.waiting") == 0);
        }
        store.stop();
        assertThatThrownBy(() -> locks.acquire(REQUEST.waitTime(Duration.ofMillis(20))));

        assertThat(count(registry, "granted")).isEqualTo(1);
        assertThat(count(registry, "deadlock")).isEqualTo(1);
        assertThat(count(registry, "store-error")).isEqualTo(1);
        assertThat(count(otherRegistry, "timeout")).isEqualTo(1);
        assertThat(count(otherRegistry, "interrupted")).isEqualTo(1);
        assertThat(count(otherRegistry, "cancelled")).isEqualTo(1);
        assertThat(registry.get("baton.wait").timer().count()).isEqualTo(3);
        assertThat(registry.get("baton.hold").timer().count()).isEqualTo(1);
        assertThat(gauge("baton.waiting")).isZero();
        assertThat(gauge("baton.held")).isZero();
    }

    @Test
    void readersAreCountedApartFromWriters() {
        locks.execute(REQUEST, lease -> 1);
        assertThat(registry.find("baton.wait").tag("mode", "shared").timer())
                .as("before the first reader")
                .isNull();
        LockRequest read = REQUEST.mode(LockMode.SHARED);
        try (Lease one = locks.acquire(read.owner("one"));
                Lease two = locks.acquire(read.owner("two"))) {
            assertThat(one.fencingToken()).isEqualTo(two.fencingToken());
            assertThat(registry.get("baton.held").tag("mode", "shared").gauge().value())
                    .isEqualTo(2);
            assertThat(registry.get("baton.held")
                            .tag("mode", "exclusive")
                            .gauge()
                            .value())
                    .isZero();
        }
        for (LockMeter meter : LockMeter.values()) {
            assertThat(registry.find(meter.key()).meters())
                    .as(meter.key())
                    .extracting(found -> found.getId().getTag("mode"))
                    .contains("exclusive", "shared");
        }
        assertThat(registry.get("baton.hold").tag("mode", "shared").timer().count())
                .isEqualTo(2);
        assertThat(registry.get("baton.hold").tag("mode", "exclusive").timer().count())
                .isEqualTo(1);
    }

    @Test
    void declaredMetersHaveTheModeOfTheirRequests() {
        LockMeters meters = new LockMeters(registry, 3, false);
        meters.declare(List.of(LockRequest.of("a").mode(LockMode.SHARED), LockRequest.of("b")));
        assertThat(registry.get("baton.wait").timers())
                .extracting(timer ->
                        timer.getId().getTag("scope") + " " + timer.getId().getTag("mode"))
                .containsExactlyInAnyOrder("a shared", "b exclusive");
    }

    @Test
    void reentryIsNotCounted() {
        locks.execute(REQUEST, outer -> locks.execute(REQUEST, inner -> 1));
        assertThat(count(registry, "granted")).isEqualTo(1);
        assertThat(registry.get("baton.hold").timer().count()).isEqualTo(1);
    }

    @Test
    void handOverIsCountedByTheReleasingProcessAndByItsTarget() throws Exception {
        Lease first = locks.acquire(REQUEST);
        CompletableFuture<Lease> near = locks.acquireAsync(REQUEST).toCompletableFuture();
        await().until(() -> locks.inspect(REQUEST).waiting() == 1);
        CompletableFuture<Lease> far = other.acquireAsync(REQUEST).toCompletableFuture();
        await().until(() -> locks.inspect(REQUEST).waiting() == 2);
        first.close();
        // processes take turns
        far.get().close();
        near.get().close();
        assertThat(handOvers(registry, "local")).isZero();
        assertThat(handOvers(registry, "remote")).isEqualTo(1);
        assertThat(handOvers(otherRegistry, "local")).isZero();
        assertThat(handOvers(otherRegistry, "remote")).isEqualTo(1);
    }

    @Test
    void handOverWithinTheProcessIsLocal() throws Exception {
        Lease first = locks.acquire(REQUEST);
        CompletableFuture<Lease> second = locks.acquireAsync(REQUEST).toCompletableFuture();
        CompletableFuture<Lease> third = locks.acquireAsync(REQUEST).toCompletableFuture();
        first.close();
        second.get().close();
        third.get().close();
        assertThat(handOvers(registry, "local")).isEqualTo(2);
        assertThat(handOvers(registry, "remote")).isZero();
        assertThat(count(registry, "granted")).isEqualTo(3);
        assertThat(registry.get("baton.hold").timer().count()).isEqualTo(3);
    }

    @Test
    void lossIsCountedAndNothingStaysHeld() {
        Lease lease = locks.acquire(REQUEST);
        assertThat(gauge("baton.held")).isEqualTo(1);
        other.forceRelease(REQUEST);
        await().until(() -> registry.get("baton.lost").counter().count() == 1);
        assertThat(gauge("baton.held")).isZero();
        assertThat(registry.get("baton.hold").timer().count()).isEqualTo(1);
        assertThat(lease.release()).isFalse();
        assertThat(registry.get("baton.hold").timer().count()).isEqualTo(1);
    }

    @Test
    void oldestHoldAndWaitAreMeasured() {
        try (Lease lease = locks.acquire(REQUEST)) {
            CompletableFuture<Lease> waiting = locks.acquireAsync(REQUEST).toCompletableFuture();
            await().until(() -> gauge("baton.hold.longest") > 0.02 && gauge("baton.wait.longest") > 0.02);
            // both values grow, so the shorter is read first
            double wait = gauge("baton.wait.longest");
            assertThat(gauge("baton.hold.longest")).isBetween(wait, 60.0);
            waiting.cancel(false);
        }
        await().until(() -> gauge("baton.waiting") == 0);
        assertThat(gauge("baton.hold.longest")).isZero();
        assertThat(gauge("baton.wait.longest")).isZero();
    }

    @Test
    void recheckIsCounted() {
        try (Lease lease = other.acquire(REQUEST)) {
            CompletableFuture<Lease> waiting =
                    locks.acquireAsync(REQUEST.recheck(Duration.ofMillis(20))).toCompletableFuture();
            await().until(() -> registry.get("baton.rechecks").counter().count() >= 3);
            waiting.cancel(false);
        }
    }

    @Test
    void tenThousandKeysAddNoMeter() {
        locks.execute(REQUEST, lease -> 1);
        int meters = registry.getMeters().size();
        for (int key = 0; key < 10_000; key++) {
            locks.execute("x", key, lease -> 1);
        }
        assertThat(registry.getMeters()).hasSize(meters);
        assertThat(count(registry, "granted")).isEqualTo(10_001);
    }

    @Test
    void scopesBeyondTheirNumberShareOneValueAndOneWarning(CapturedOutput output) {
        for (int scope = 0; scope < 20; scope++) {
            locks.execute("scope-" + scope, "global", lease -> 1);
        }
        locks.execute("scope-0", "global", lease -> 1);
        assertThat(registry.find("baton.wait").timers().stream()
                        .map(timer -> timer.getId().getTag("scope")))
                .containsExactlyInAnyOrder("scope-0", "scope-1", "scope-2", LockMeters.OTHER);
        assertThat(registry.get("baton.wait")
                        .tag("scope", LockMeters.OTHER)
                        .timer()
                        .count())
                .isEqualTo(17);
        assertThat(registry.get("baton.wait").tag("scope", "scope-0").timer().count())
                .isEqualTo(2);
        assertThat(output.getAll().split("baton.metrics.max-scopes", -1)).hasSize(2);
    }

    @Test
    void locksOfSeveralScopesHaveOneValueWithAllScopes() {
        locks.execute(LockRequest.of("b", 1).and(LockRequest.of("a", 1)).and(LockRequest.of("a", 2)), lease -> 1);
        assertThat(registry.get("baton.wait").timer().getId().getTag("scope")).isEqualTo("a+b");
    }

    @Test
    void atLeastOneScopeHasMeters() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LockMeters(registry, 0, false));
    }

    private double gauge(String name) {
        return gauge(registry, name);
    }

    private static double gauge(SimpleMeterRegistry registry, String name) {
        return registry.find(name).gauge() == null
                ? 0
                : registry.get(name).gauge().value();
    }

    private static double count(SimpleMeterRegistry registry, String outcome) {
        return registry.get("baton.acquisitions")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static double handOvers(SimpleMeterRegistry registry, String to) {
        return registry.get("baton.handovers").tag("to", to).counter().count();
    }

    private static LockTemplate template(InMemoryLockStore store, LockMeters meters) {
        LockTemplateBuilder builder = LockTemplate.builder(store).time(store.clock());
        return builder.shutdownAwait(Duration.ZERO).listener(meters).build();
    }
}
