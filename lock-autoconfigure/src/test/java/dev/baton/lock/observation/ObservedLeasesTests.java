package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.test.simple.SimpleSpan;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the spans of explicit leases, which any thread may release. */
class ObservedLeasesTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42);

    private final Spans spans = new Spans();
    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final LockTemplate holder = LockTemplate.builder(store.newProcess())
            .time(store.clock())
            .shutdownAwait(Duration.ZERO)
            .build();
    private LockTemplate locks = spans.template(store, new DefaultLockObservationConvention(false));

    @AfterEach
    void nothingIsLeftInThisThread() {
        assertThat(spans.current()).isNull();
        locks.close();
        holder.close();
    }

    @Test
    void spanLastsUntilTheReleaseByAnyThread() throws InterruptedException {
        Observation around = spans.begin("request");
        Lease lease;
        try (Observation.Scope scope = around.openScope()) {
            lease = locks.acquire(REQUEST);
            assertThat(spans.current()).as("after the wait").isSameAs(around);
        }
        SimpleSpan span = spans.lock();
        assertThat(Spans.isOver(span)).isFalse();
        assertThat(spans.parent(span)).isEqualTo("request");
        AtomicReference<Observation> left = new AtomicReference<>();
        Thread other = new Thread(() -> {
            lease.close();
            left.set(spans.current());
        });
        other.start();
        other.join(Duration.ofSeconds(10).toMillis());
        assertThat(Spans.isOver(span)).isTrue();
        assertThat(left.get()).isNull();
        assertThat(span.getTags()).containsEntry("baton.outcome", "granted");
        assertThat(span.getEvents()).hasSize(1);
        assertThat(span.getError()).isNull();
        around.stop();
    }

    @Test
    void everyReleaseEndsTheSpan() {
        locks.acquire(REQUEST).close();
        locks.acquire(REQUEST).release();
        locks.acquire(REQUEST).releaseAsync().toCompletableFuture().join();
        locks.acquire(REQUEST).closeAsync().toCompletableFuture().join();
        locks.tryAcquire(REQUEST).orElseThrow().close();
        DistributedMutex mutex = locks.mutex(REQUEST);
        mutex.lock();
        try {
            assertThat(spans.current()).isNull();
        } finally {
            mutex.unlock();
        }
        assertThat(spans.locks()).hasSize(6).allMatch(Spans::isOver);
    }

    @Test
    void reentryHasASpanOfItsOwn() {
        Lease outer = locks.acquire(REQUEST);
        locks.acquire(REQUEST).close();
        assertThat(spans.locks()).hasSize(2).filteredOn(Spans::isOver).hasSize(1);
        outer.close();
        assertThat(spans.locks()).allMatch(Spans::isOver);
    }

    @Test
    void lossEndsTheSpanAsAnError() {
        Lease lease = locks.acquire(REQUEST);
        holder.forceRelease(REQUEST);
        await().until(() -> Spans.isOver(spans.lock()));
        assertThat(spans.lock().getError()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        assertThat(spans.locks()).hasSize(1);
    }

    @Test
    void loggedLossIsNoError() {
        Lease lease = locks.acquire(REQUEST.onLost(OnLost.LOG));
        holder.forceRelease(REQUEST);
        await().until(() -> Spans.isOver(spans.lock()));
        assertThat(spans.lock().getError()).isNull();
        lease.close();
    }

    @Test
    void spanOfAWaiterNamesTheHolderAndIsCurrentDuringTheWait() {
        Lease held = holder.acquire(REQUEST.owner("night-job"));
        AtomicReference<Observation> left = new AtomicReference<>();
        CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> {
            Lease lease = locks.acquire(REQUEST.owner("mine"));
            left.set(spans.current());
            return lease;
        });
        await().until(() -> holder.inspect(REQUEST).waiting() == 1);
        held.close();
        waiting.join().close();
        assertThat(left.get()).isNull();
        assertThat(spans.lock().getTags())
                .hasEntrySatisfying(
                        "baton.waited.for", label -> assertThat(label).endsWith("/night-job"));
    }

    @Test
    void refusalHasTheOutcomeTimeoutAndNamesTheHolder() {
        try (Lease held = holder.acquire(REQUEST.owner("night-job"))) {
            assertThat(locks.tryAcquire(REQUEST)).isEmpty();
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> locks.acquire(REQUEST.waitTime(Duration.ofMillis(10))));
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> locks.acquireAsync(REQUEST.waitTime(Duration.ofMillis(10)))
                            .toCompletableFuture()
                            .join());
            locks.tryExecute(REQUEST, lease -> 1);
        }
        assertThat(spans.locks()).hasSize(4).allSatisfy(span -> {
            assertThat(Spans.isOver(span)).isTrue();
            assertThat(span.getError()).isNull();
            assertThat(span.getTags())
                    .containsEntry("baton.outcome", "timeout")
                    .hasEntrySatisfying(
                            "baton.waited.for", label -> assertThat(label).endsWith("/night-job"));
        });
    }

    @Test
    void spanOfAStageHasTheParentOfTheCallerAndEndsWithTheLease() {
        Observation around = spans.begin("request");
        CompletableFuture<Lease> asked;
        try (Observation.Scope scope = around.openScope()) {
            asked = locks.acquireAsync(REQUEST).toCompletableFuture();
        }
        AtomicReference<Observation> inCallback = new AtomicReference<>();
        // released by an action of the stage, which runs after the grant is announced
        asked.thenAccept(lease -> {
                    inCallback.set(spans.current());
                    lease.releaseAsync();
                })
                .join();
        await().until(() -> Spans.isOver(spans.lock()));
        assertThat(inCallback.get()).as("no scope is left in a thread of Baton").isNull();
        assertThat(spans.parent(spans.lock())).isEqualTo("request");
        assertThat(spans.lock().getTags()).containsEntry("baton.outcome", "granted");
        assertThat(spans.lock().getEvents()).hasSize(1);
        around.stop();
    }

    @Test
    void cancelledStageHasTheOutcomeCancelled() {
        try (Lease held = holder.acquire(REQUEST)) {
            CompletableFuture<Lease> asked =
                    locks.acquireAsync(REQUEST.waitUnbounded()).toCompletableFuture();
            await().until(() -> holder.inspect(REQUEST).waiting() == 1);
            asked.cancel(false);
            await().until(() -> Spans.isOver(spans.lock()));
        }
        assertThat(spans.lock().getTags()).containsEntry("baton.outcome", "cancelled");
    }

    @Test
    void stoppedTemplateHasTheOutcomeStoreError() {
        locks.close();
        assertThatThrownBy(() -> locks.acquire(REQUEST)).isNotNull();
        assertThatThrownBy(
                        () -> locks.acquireAsync(REQUEST).toCompletableFuture().join())
                .isNotNull();
        assertThat(spans.locks()).hasSize(2).allSatisfy(span -> {
            assertThat(Spans.isOver(span)).isTrue();
            assertThat(span.getTags()).containsEntry("baton.outcome", "store-error");
        });
    }

    @Test
    void observationScopeOfALeaseIsCurrentAndLeavesNothing() {
        Lease lease = locks.acquire(REQUEST);
        try (LockObserver.Scope scope = lease.openScope()) {
            spans.begin("work").stop();
            scope.failed(new IllegalStateException("the work's own"));
        }
        assertThat(spans.current()).isNull();
        assertThat(spans.parent(spans.named("work").get(0))).isEqualTo("baton.lock");
        lease.close();
        assertThat(spans.lock().getError()).hasMessage("the work's own");
        try (LockObserver.Scope scope = lease.openScope()) {
            assertThat(spans.current()).as("the scope of a lease that is over").isNull();
        }
    }

    @Test
    void reacquiredLeaseIsObserved() {
        Lease lost = locks.acquire(REQUEST.renew(Renewal.NEVER));
        holder.forceRelease(REQUEST);
        // the span ends in a callback thread
        await().until(() -> Spans.isOver(spans.lock()));
        assertThat(lost.isHeld()).isFalse();
        Lease reacquired = lost.renewOrReacquire(Duration.ofSeconds(30)).orElseThrow();
        assertThat(spans.locks()).hasSize(2).filteredOn(Spans::isOver).hasSize(1);
        reacquired.close();
        assertThat(spans.locks()).allMatch(Spans::isOver);
    }

    @Test
    void conventionOfTheApplicationIsHonoured() {
        locks.close();
        locks = spans.template(store, new CustomConvention());
        locks.acquire(REQUEST).close();
        locks.tryAcquire(REQUEST).orElseThrow().close();
        locks.acquireAsync(REQUEST).toCompletableFuture().join().close();
        locks.executeAsync(REQUEST, lease -> CompletableFuture.completedFuture(1))
                .toCompletableFuture()
                .join();
        locks.tryExecute(REQUEST, lease -> 1);
        locks.execute(REQUEST, lease -> 1);
        await().until(() -> spans.named("my.lock").stream().allMatch(Spans::isOver));
        assertThat(spans.named("my.lock")).hasSize(6).allSatisfy(span -> {
            assertThat(span.getName()).isEqualTo("mine of account");
            assertThat(span.getTags()).containsEntry("my.outcome", "granted");
        });
        assertThat(spans.locks()).isEmpty();
    }

    /** An exception of an observer must not lose a lock. */
    @Test
    void failingObserverIsLoggedAndTheLeaseIsReleased() {
        locks.close();
        locks = LockTemplate.builder(store.newProcess())
                .time(store.clock())
                .shutdownAwait(Duration.ZERO)
                .observer(request -> new ThrowingObserver())
                .build();
        locks.acquire(REQUEST).close();
        locks.acquireAsync(REQUEST)
                .toCompletableFuture()
                .join()
                .releaseAsync()
                .toCompletableFuture()
                .join();
        assertThat(holder.isLocked(REQUEST)).isFalse();
    }

    private static final class ThrowingObserver implements LockObserver.Execution {

        @Override
        public LockObserver.Scope open() {
            return () -> {
                throw new IllegalStateException("the observer's own");
            };
        }

        @Override
        public void granted(Lease lease) {
            throw new IllegalStateException("the observer's own");
        }

        @Override
        public void ended(Throwable failure) {
            throw new IllegalStateException("the observer's own");
        }
    }
}
