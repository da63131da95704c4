package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.renewed;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.engine.LeaseReleaser;
import dev.baton.lock.engine.ShutdownSequence;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the stop of an engine and of a template. */
class StopTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration AWAIT = Duration.ofSeconds(10);

    private final TestEngine test = new TestEngine(new EngineSettings(
            Duration.ofSeconds(2).toNanos(),
            Duration.ofHours(1),
            Duration.ofDays(1).toNanos(),
            1_000,
            10,
            AWAIT.toNanos()));

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void holderMayFinishAndItsReleaseReachesTheStore() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        Lease lease = test.lease(acquisition);
        try (LogCapture log = new LogCapture(ShutdownSequence.class.getName())) {
            CompletableFuture<Void> stopping = begin();
            assertThat(lease.isHeld()).isTrue();
            CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
            Sent<EndCommand, EndReply> end = test.store.nextEnd();
            assertThat(stopping).as("the release is not answered yet").isNotDone();
            end.answer(ended(Role.HOLDER));

            assertThat(get(released)).isTrue();
            get(stopping);
            assertThat(test.store.stopped).isTrue();
            assertThat(log.messages(Level.WARN)).isEmpty();
        }
    }

    /** The last step of a release so far. */
    enum ReleaseStep {
        BY_ITS_HOLDER,
        WITH_ITS_TICKET
    }

    @ParameterizedTest
    @EnumSource
    void stopWaitsForAReleaseThatIsAboutToBeSent(ReleaseStep released) {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        // the first steps of a release; its thread may be suspended after each
        Grant grant = Objects.requireNonNull(acquisition.grant());
        assertThat(acquisition.end(grant, Phase.Why.RELEASED, test.time.nanoTime(), ""))
                .isTrue();
        assertThat(released == ReleaseStep.BY_ITS_HOLDER || test.engine.leases().release(acquisition.ticket(), grant))
                .isTrue();
        CompletableFuture<Void> stopping = begin();
        assertThatThrownBy(() -> stopping.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        CompletableFuture<Void> second =
                CompletableFuture.runAsync(() -> test.engine.releaser().awaitEnd(acquisition));
        test.store.nextEnd().answer(ended(Role.HOLDER));
        get(second);
        get(stopping);
        assertThat(test.store.stopped).isTrue();
    }

    @Test
    void leasesAreRenewedWhileTheirHoldersFinish() {
        Acquisition acquisition = test.hold(renewed(Duration.ofMillis(90)), 7);
        CompletableFuture<Void> stopping = begin();
        Sent<?, List<List<dev.baton.lock.store.LockName>>> renewal = test.store.nextRenewal();
        renewal.answer(List.of(List.of()));

        assertThat(acquisition.grant()).isNotNull();
        assertThat(stopping).isNotDone();
        test.time.advance(AWAIT);
        get(stopping);
    }

    @Test
    void holderThatDoesNotFinishKeepsItsLeaseAndIsNamedOnce() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        try (LogCapture log = new LogCapture(ShutdownSequence.class.getName())) {
            CompletableFuture<Void> stopping = begin();
            test.time.advance(AWAIT.minusMillis(1));
            assertThat(stopping).isNotDone();
            test.time.advance(Duration.ofMillis(1));
            get(stopping);

            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "Stopping while 1 lock(s) are held, after 10000 ms (baton.shutdown.await); they come"
                                    + " free when their leases end: [server_access.42]");
        }
        assertThat(test.store.ends).as("nothing is released under running work").isEmpty();
        assertThat(test.lease(acquisition).isHeld()).isTrue();
    }

    @Test
    void releaseAfterTheStopReturnsAtOnceAndIsLoggedAsUnconfirmed() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        test.time.advance(Duration.ofSeconds(1));
        CompletableFuture<Void> stopping = begin();
        test.time.advance(AWAIT);
        get(stopping);

        try (LogCapture log = new LogCapture(LeaseReleaser.class.getName())) {
            assertThat(test.lease(acquisition).release()).isTrue();
            assertThat(log.messages(Level.WARN)).singleElement().asString().contains("was not confirmed");
        }
        assertThat(test.store.ends).isEmpty();
    }

    @Test
    void waiterFailsBeforeAnyHolderFinishes() {
        test.hold(waits(LEASE), 7);
        CompletableFuture<Acquisition> waiter = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(7));
        CompletableFuture<Void> stopping = begin();

        assertThatThrownBy(() -> get(waiter)).hasRootCauseInstanceOf(LockStoreException.class);
        test.store.nextEnd().answer(ended(Role.WAITER));
        assertThat(stopping).isNotDone();
        assertThatThrownBy(() -> test.engine.acquire(waits(LEASE)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("is stopping");
        assertThat(test.engine.waiters()).isZero();
        assertThat(test.engine.isListening()).isFalse();
        test.time.advance(AWAIT);
        get(stopping);
    }

    @Test
    void secondStopWaitsForTheSameEnd() {
        test.hold(waits(LEASE), 7);
        CompletableFuture<Void> first = begin();
        CompletableFuture<Void> second = CompletableFuture.runAsync(test.engine::stop);
        test.settle();
        assertThat(second).isNotDone();
        test.time.advance(AWAIT);
        get(first);
        get(second);
    }

    @Test
    void interruptOfTheStoppingThreadEndsTheWaitForHolders() throws Exception {
        test.hold(waits(LEASE), 7);
        Thread stopper = new Thread(test.engine::stop);
        stopper.start();
        Awaitility.await().until(test.engine::isStopping);
        stopper.interrupt();
        stopper.join(5_000);

        assertThat(stopper.isAlive()).isFalse();
        assertThat(test.store.stopped).isTrue();
    }

    @Test
    void templateLetsItsHoldersReenterAndReleaseWhileItStops() throws Exception {
        FakeLockStore store = new FakeLockStore();
        LockTemplate template = LockTemplate.builder(store).build();
        CompletableFuture<Lease> acquiring = new CompletableFuture<>();
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicReference<Boolean> reentered = new AtomicReference<>();
        Thread holder = new Thread(() -> {
            Lease lease = template.acquire(LockRequest.of("x"));
            acquiring.complete(lease);
            Awaitility.await().until(() -> !template.isRunning());
            reentered.set(template.execute(LockRequest.of("x"), Lease::isHeld));
            lease.release();
        });
        holder.start();
        store.nextAcquire().answer(granted(7));
        get(acquiring);
        assertThat(template.isListening()).isTrue();
        template.stop(stopped::countDown);
        Awaitility.await().until(() -> !template.isRunning());
        assertThat(template.isListening()).isFalse();
        store.nextEnd().answer(ended(Role.HOLDER));

        assertThat(stopped.await(5, TimeUnit.SECONDS)).isTrue();
        holder.join(5_000);
        assertThat(reentered.get()).isTrue();
        assertThat(store.stopped).isTrue();
        assertThatThrownBy(() -> template.acquire(LockRequest.of("x")))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("the lock template is stopped");
    }

    @Test
    void startWaitsForARunningStop() throws Exception {
        FakeLockStore store = new FakeLockStore();
        LockTemplate template = LockTemplate.builder(store)
                .shutdownAwait(Duration.ofMillis(300))
                .build();
        CompletableFuture<Lease> acquiring = CompletableFuture.supplyAsync(() -> template.acquire(LockRequest.of("x")));
        store.nextAcquire().answer(granted(7));
        get(acquiring);
        CountDownLatch stopped = new CountDownLatch(1);
        template.stop(stopped::countDown);
        Awaitility.await().until(() -> !template.isRunning());
        template.start();

        assertThat(stopped.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(template.isRunning()).isTrue();
        assertThat(store.stopped).as("the store runs for the new engine").isFalse();
        template.close();
    }

    private CompletableFuture<Void> begin() {
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(test.engine::stop);
        Awaitility.await().until(test.engine::isStopping);
        return stopping;
    }
}
