package dev.baton.lock.engine;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the outcome of asynchronous acquisitions, and that each ends once. */
class PendingAcquisitionTests {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void grantCompletesTheAcquisition() {
        PendingAcquisition pending = test.engine.acquireAsync(waits(LEASE), acquisition -> {});
        test.store.nextAcquire().answer(granted(7));

        assertThat(get(pending.outcome()).lastGrant().token).isEqualTo(7);
    }

    @Test
    void messageCompletesTheAcquisitionOnACallbackThread() {
        PendingAcquisition pending = test.engine.acquireAsync(waits(LEASE), acquisition -> {});
        CompletableFuture<String> thread = pending.outcome()
                .thenApply(acquisition -> Thread.currentThread().getName());
        var acquire = test.store.nextAcquire();
        acquire.answer(busy(3));
        test.engine.inbox().granted(NAME, acquire.command().requests().get(0).id(), 7);

        assertThat(get(thread)).isEqualTo("baton-callback");
    }

    @Test
    void acquisitionLeavesTheQueueWhenItsWaitEnds() {
        PendingAcquisition pending = test.engine.acquireAsync(
                TestEngine.spec(LEASE, false, Duration.ofMillis(500), false), acquisition -> {});
        test.store.nextAcquire().answer(busy(3));

        assertThatThrownBy(() -> pending.outcome().get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("server_access.42");
        test.store.nextEnd().answer(ended(Role.WAITER));
        test.settle();
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void silentStoreIsReported() {
        PendingAcquisition pending = test.engine.acquireAsync(
                TestEngine.spec(LEASE, false, Duration.ofSeconds(1), false), acquisition -> {});
        test.store.nextAcquire();
        // before the timer fires, which runs in real time
        test.time.advance(Duration.ofSeconds(1));

        assertThatThrownBy(() -> pending.outcome().get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void cancelledAcquisitionLeavesTheQueueAndGetsNoLease() {
        PendingAcquisition pending = test.engine.acquireAsync(waits(LEASE), acquisition -> {});
        var acquire = test.store.nextAcquire();
        acquire.answer(busy(3));
        pending.cancel();
        assertThat(test.store.nextEnd().command().id())
                .isEqualTo(acquire.command().requests().get(0).id());
        test.engine.inbox().granted(NAME, acquire.command().requests().get(0).id(), 7);
        test.settle();

        assertThat(pending.outcome()).isCancelled();
    }

    @Test
    void refusedTryIsATimeout() {
        PendingAcquisition pending = test.engine.acquireAsync(TestEngine.tries(LEASE), acquisition -> {});
        test.store.nextAcquire().answer(busy(3));

        assertThatThrownBy(() -> pending.outcome().get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("is busy");
    }
}
