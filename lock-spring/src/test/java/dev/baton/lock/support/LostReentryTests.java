package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests an owner that acquires a lock again after a lost lease, which is not closed yet. */
@SuppressWarnings("LockNotBeforeTry") // some tests do not release the lock on purpose
class LostReentryTests {

    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(10));
    private static final LockRequest OWNED = X.owner("conn-17");
    private static final Duration OVER = Duration.ofSeconds(11);

    private final TestClock clock = TestClock.standing();
    private final InMemoryLockStore store = new InMemoryLockStore(clock);
    private final LockTemplate template =
            LockTemplate.builder(store).time(clock).shutdownAwait(Duration.ZERO).build();

    @AfterEach
    void stop() {
        template.close();
    }

    @Test
    void threadWithAnExpiredUnclosedLeaseGetsANewLease() {
        Lease lost = template.acquire(X);
        clock.advance(OVER);
        Lease fresh = template.tryAcquire(X).orElseThrow();

        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.fencingToken()).isGreaterThan(lost.fencingToken());
        assertThatThrownBy(lost::close).as("the close reports the loss").isInstanceOf(LockLostException.class);
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.release()).isTrue();
    }

    @Test
    void chosenOwnerWithAnExpiredUnclosedLeaseGetsANewLeaseInAnyThread() throws Exception {
        Lease lost = template.acquire(OWNED);
        clock.advance(OVER);
        Lease fresh =
                CompletableFuture.supplyAsync(() -> template.acquire(OWNED)).get(5, TimeUnit.SECONDS);
        Lease later = template.acquireAsync(OWNED).toCompletableFuture().get(5, TimeUnit.SECONDS);

        assertThat(fresh.fencingToken()).isGreaterThan(lost.fencingToken());
        assertThat(later.fencingToken()).as("a re-entry").isEqualTo(fresh.fencingToken());
        assertThat(lost.release()).isFalse();
    }

    @Test
    void lossFoundByTheNextRequestIsReportedByTheCloseOfTheLostLease() throws Exception {
        Lease lost = template.acquire(OWNED);
        store.clear();
        Lease fresh = template.acquire(OWNED.expire(Duration.ofMinutes(1)));
        assertThat(fresh.isHeld()).isTrue();
        assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
        store.clear();
        Lease third = template.acquireAsync(OWNED.expire(Duration.ofMinutes(5)))
                .toCompletableFuture()
                .get(5, TimeUnit.SECONDS);
        assertThat(third.isHeld()).isTrue();
        assertThatThrownBy(fresh::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void lockIsRefusedUnderALostLeaseUntilTheWorkEnds() {
        assertThatThrownBy(() -> template.execute(X, lease -> {
                    clock.advance(OVER);
                    for (int i = 0; i < 2; i++) {
                        assertRefused(() -> template.tryAcquire(X));
                        assertRefused(() -> template.execute(X, inner -> "done"));
                    }
                    return "done";
                }))
                .isInstanceOf(LockLostException.class);

        assertThat(template.tryAcquire(X)).isPresent();
    }

    @Test
    void workUnderALostLeaseReacquiresTheLockByItsLease() {
        assertThatThrownBy(() -> template.execute(X, lease -> {
                    clock.advance(OVER);
                    Lease fresh = lease.renewOrReacquire(Duration.ofMinutes(1)).orElseThrow();
                    assertThat(fresh.isHeld()).isTrue();
                    try (Lease inner = template.acquire(X)) {
                        assertThat(inner.fencingToken()).isEqualTo(fresh.fencingToken());
                    }
                    return fresh.release();
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void anotherThreadOfTheOwnerMayAcquireTheLostLock() {
        assertThatThrownBy(() -> template.execute(OWNED, lease -> {
                    clock.advance(OVER);
                    assertRefused(() ->
                            template.acquireAsync(OWNED).toCompletableFuture().join());
                    Optional<Lease> other = CompletableFuture.supplyAsync(() -> template.tryAcquire(OWNED))
                            .join();
                    assertThat(other).hasValueSatisfying(Lease::close);
                    return "done";
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void lockIsRefusedInAReactiveChainUnderALostLease() {
        ReactiveLockTemplate reactive = new ReactiveLockTemplate(template);
        Mono<String> nested = reactive.execute(X, inner -> Mono.just("done"));

        assertThatThrownBy(() -> reactive.execute(
                                X,
                                lease -> Mono.fromRunnable(() -> clock.advance(OVER))
                                        .then(nested.onErrorResume(LockLostException.class, ex -> Mono.just("refused")))
                                        .doOnNext(answer -> assertThat(answer).isEqualTo("refused")))
                        .block())
                .isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> reactive.executeMany(
                                X,
                                lease -> Flux.defer(() -> {
                                    clock.advance(OVER);
                                    return nested.onErrorResume(LockLostException.class, ex -> Mono.just("refused"))
                                            .doOnNext(
                                                    answer -> assertThat(answer).isEqualTo("refused"));
                                }))
                        .blockLast())
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void lostMutexIsRefusedUntilItIsUnlocked() {
        DistributedMutex mutex = template.mutex(X);
        mutex.lock();
        clock.advance(OVER);
        for (int i = 0; i < 2; i++) {
            assertRefused(mutex::lock);
            assertRefused(mutex::tryLock);
        }
        assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(mutex.tryLock()).isTrue();
        mutex.unlock();
    }

    private static void assertRefused(Runnable asking) {
        assertThatThrownBy(asking::run)
                .satisfies(thrown -> assertThat(thrown instanceof LockLostException ? thrown : thrown.getCause())
                        .isInstanceOf(LockLostException.class));
    }
}
