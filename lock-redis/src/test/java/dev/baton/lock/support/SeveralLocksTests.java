package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several locks in one request: both or none, lost, given up, entered again. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SeveralLocksTests extends OnBackend {

    static final LockRequest A = LockRequest.of("k", "a");
    static final LockRequest B = LockRequest.of("k", "b");
    static final LockRequest BOTH = LockRequest.ofAll("k", List.of("a", "b"));

    private LockTemplate one;
    private LockTemplate other;

    SeveralLocksTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        one = processes.start(builder -> builder.patience(Duration.ZERO));
        other = processes.start();
    }

    @Test
    void bothAreGrantedWithOneTokenForTwoCommands() {
        one.execute(BOTH, lease -> 1);
        redis.resetStats();
        try (Lease lease = one.acquire(LockRequest.ofAll("k", List.of("b", "a")))) {
            assertThat(lease.names()).containsExactly("k.a", "k.b");
            assertThat(lease.redisKeys()).containsExactly("lock:lock:{k.a}", "lock:lock:{k.b}");
            assertThat(redis.keys()).containsAll(lease.redisKeys());
            assertThat(redis.command("HGET", "lock:lock:{k.b}", "token")).isEqualTo("" + lease.fencingToken());
        }
        PipelinedMode.assertReleased(() ->
                assertThat(redis.commandStats()).containsEntry("evalsha", 2L).doesNotContainKey("publish"));
        PipelinedMode.assertReleased(() -> assertThat(redis.lastingKeys()).containsExactly("lock:fence"));
    }

    @Test
    void noneIsTakenIfOneIsBusy() {
        Lease busy = other.acquire(B);
        assertThat(one.tryAcquire(BOTH)).isEmpty();
        assertThatThrownBy(() -> one.acquire(BOTH.waitTime(Duration.ofMillis(800))))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'k.a, k.b'");
        await().atMost(Duration.ofSeconds(2))
                .until(() -> redis.lastingKeys().equals(Set.of("lock:fence", "lock:lock:{k.b}")));
        busy.close();
        one.acquire(BOTH).close();
    }

    @Test
    void waiterIsToldThatItHasBoth() throws Exception {
        Lease busy = other.acquire(B);
        LockTemplate calm = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        Future<Lease> both = threads.submit(() -> calm.acquire(BOTH));
        awaitQueued("b", 1);
        busy.close();
        try (Lease lease = both.get(3, TimeUnit.SECONDS)) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.contended()).isTrue();
            assertThat(other.tryAcquire(A)).isEmpty();
            assertThat(other.tryAcquire(B)).isEmpty();
        }
    }

    @Test
    void renewalExtendsBoth() {
        try (Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(5)))) {
            assertThat(lease.renew(Duration.ofSeconds(20))).isTrue();
            assertThat(redis.ttl("lock:lock:{k.a}")).isGreaterThan(15_000);
            assertThat(redis.ttl("lock:lock:{k.b}")).isGreaterThan(15_000);
        }
    }

    @Test
    void renewalThatFindsOneLostNamesItAndGivesTheOtherBack() {
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(20)));
        redis.command("DEL", "lock:lock:{k.b}");
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThatThrownBy(lease::close)
                .hasMessageContaining("Lock 'k.b' of 'k.a, k.b' was lost")
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.getLostNames()).containsExactly("k.b"));
        await().atMost(Duration.ofSeconds(2)).until(() -> redis.lastingKeys().equals(Set.of("lock:fence")));
    }

    @Test
    void renewalByItselfFindsOneLost() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(3)).renew(Renewal.ALWAYS));
        lease.onLost(told::countDown);
        redis.command("DEL", "lock:lock:{k.a}");
        assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(lease::close)
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.getLostNames()).containsExactly("k.a"));
    }

    @Test
    void releaseThatFindsOneLostNamesItAndGivesTheOtherBack() throws Exception {
        Lease lease = one.acquire(BOTH);
        Future<Lease> waiter = threads.submit(() -> other.acquire(A));
        awaitQueued("a", 1);
        redis.command("DEL", "lock:lock:{k.b}");
        Lease taken = other.acquire(B);
        assertThatThrownBy(lease::close)
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.getLostNames()).containsExactly("k.b"));
        assertThat(taken.isHeld()).isTrue();
        assertThat(taken.release()).isTrue();
        assertThat(waiter.get(2, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void leaseThatEndsLosesAll() throws Exception {
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(1)));
        CountDownLatch told = new CountDownLatch(1);
        lease.onLost(told::countDown);
        assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(lease::close)
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.getLostNames()).containsExactly("k.a", "k.b"));
    }

    @Test
    void timeOutLeavesEveryQueueAndHandsOverWhatWasKept() throws Exception {
        LockTemplate calm = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        Lease busy = other.acquire(B);
        Future<Lease> both = threads.submit(() -> one.acquire(BOTH.waitTime(Duration.ofSeconds(3))));
        awaitQueued("a", 1);
        Future<Lease> next = threads.submit(() -> calm.acquire(A));
        awaitQueued("a", 2);
        assertThat(redis.keys()).as("kept free").doesNotContain("lock:lock:{k.a}");
        assertThatThrownBy(() -> both.get(6, TimeUnit.SECONDS)).hasCauseInstanceOf(LockTimeoutException.class);
        assertThat(next.get(2, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence", "lock:lock:{k.a}", "lock:lock:{k.b}");
        assertThat(busy.release()).isTrue();
    }

    @Test
    void interruptLeavesEveryQueue() throws Exception {
        Lease busy = other.acquire(A);
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread waiter = new Thread(() -> {
            try {
                one.acquire(BOTH.waitUnbounded());
            } catch (LockInterruptedException ex) {
                interrupted.countDown();
            }
        });
        waiter.start();
        awaitQueued("b", 1);
        waiter.interrupt();
        assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(2))
                .until(() -> redis.lastingKeys().equals(Set.of("lock:fence", "lock:lock:{k.a}")));
        assertThat(busy.release()).isTrue();
    }

    @Test
    void expiredHolderOfBothIsTakenOver() throws Exception {
        // nobody renews it, and nobody ends it: its process does not know of it
        redis.command("HSET", "lock:lock:{k.a}", "mode", "x", "id", "gone:1");
        redis.command("HSET", "lock:lock:{k.b}", "mode", "x", "id", "gone:1");
        Future<Lease> both = threads.submit(() -> one.acquire(BOTH));
        awaitQueued("b", 1);
        redis.command("PEXPIRE", "lock:lock:{k.a}", "1");
        redis.command("PEXPIRE", "lock:lock:{k.b}", "1");
        assertThat(both.get(3, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void ownerOfBothEntersEachOfThemAgain() {
        Lease both = one.acquire(BOTH);
        redis.resetStats();
        Lease a = one.acquire(A);
        Lease b = one.acquire(B);
        Lease again = one.acquire(BOTH);
        assertThat(List.of(a.fencingToken(), b.fencingToken(), again.fencingToken()))
                .containsOnly(both.fencingToken());
        assertThat(redis.commandStats()).doesNotContainKey("evalsha");
        assertThat(both.release()).isTrue();
        assertThat(a.release()).isTrue();
        assertThat(again.release()).isTrue();
        assertThat(b.isHeld()).isTrue();
        assertThat(other.tryAcquire(A)).isEmpty();
        assertThat(b.release()).isTrue();
        PipelinedMode.assertReleased(() -> assertThat(redis.lastingKeys()).containsExactly("lock:fence"));
    }

    @Test
    void ownerOfSomeFailsAtOnceWhenItAsksForMore() {
        try (Lease a = one.acquire(A)) {
            assertThatThrownBy(() -> one.acquire(BOTH))
                    .isInstanceOf(LockDeadlockException.class)
                    .hasMessageContaining("'k.a, k.b'")
                    .hasMessageContaining("holds 'k.a'");
            assertThat(a.isHeld()).isTrue();
        }
        try (Lease both = one.acquire(BOTH)) {
            assertThatThrownBy(() -> one.acquire(LockRequest.ofAll("k", List.of("b", "c"))))
                    .isInstanceOf(LockDeadlockException.class);
            assertThatThrownBy(() -> one.acquire(A.reentrant(false))).isInstanceOf(LockDeadlockException.class);
            one.acquire(LockRequest.of("k", "c")).close();
            assertThat(both.isHeld()).isTrue();
        }
        one.acquire(BOTH).close();
        PipelinedMode.assertReleased(() -> assertThat(redis.lastingKeys()).containsExactly("lock:fence"));
    }

    @Test
    void lossOfWhatItHeldDoesNotBarItFromMore() {
        Lease a = one.acquire(A.expire(Duration.ofSeconds(20)));
        redis.command("DEL", "lock:lock:{k.a}");
        assertThat(a.renew()).isFalse();
        one.acquire(BOTH).close();
        assertThatThrownBy(a::close).as("told at its close").isInstanceOf(LockLostException.class);
    }

    private void awaitQueued(String key, long count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        redis.command("ZCARD", "lock:queue:{k." + key + "}").equals(count));
    }
}
