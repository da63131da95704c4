package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be done with a lease: take it again, keep it longer than the work, hold a thousand of them. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class LeaseTests extends OnBackend {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));

    private LockTemplate one;
    private LockTemplate other;

    LeaseTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        one = processes.start();
        other = processes.other();
    }

    @Test
    void leaseThatIsStillOursIsExtendedAndNotTakenAnew() {
        Lease lease = one.acquire(X);
        redis.command("PEXPIRE", LOCK, "5000");
        assertThat(lease.renewOrReacquire(Duration.ofSeconds(30))).containsSame(lease);
        assertThat(redis.ttl(LOCK)).isGreaterThan(25_000);
        assertThat(lease.release()).isTrue();
    }

    @Test
    void expiredLeaseIsTakenAnewWithANewToken() {
        Lease lease = one.acquire(LockRequest.of("x").expire(Duration.ofMillis(500)));
        await().until(lease::isExpired);
        Lease fresh = lease.renewOrReacquire(Duration.ofSeconds(20)).orElseThrow();
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(fresh.owner()).isEqualTo(lease.owner());
        assertThat(other.tryAcquire(X)).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        assertThat(fresh.isHeld()).as("the old one took nothing with it").isTrue();
        assertThat(fresh.release()).isTrue();
        assertThat(other.tryAcquire(X)).hasValueSatisfying(Lease::close);
    }

    @Test
    void lostLeaseThatAnotherHasIsNotTakenAnew() {
        Lease lease = one.acquire(X);
        redis.command("DEL", LOCK);
        Lease next = other.acquire(X);
        assertThat(lease.renewOrReacquire(Duration.ofSeconds(20))).isEmpty();
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
    }

    @Test
    void lostLeaseForWhichAnotherWaitsIsNotTakenAnew() throws Exception {
        Lease lease = one.acquire(X);
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> other.acquire(X.waitUnbounded()));
        await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
        redis.command("DEL", LOCK);
        assertThat(lease.renewOrReacquire(Duration.ofSeconds(20))).isEmpty();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void releasedLeaseIsNotTakenAnew() {
        Lease lease = one.acquire(X);
        lease.close();
        assertThatThrownBy(() -> lease.renewOrReacquire(Duration.ofSeconds(20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("x.global");
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void lockIsKeptFromOthersForAtLeastSoLong() throws Exception {
        Duration least = Duration.ofSeconds(2);
        LockRequest request = X.holdAtLeast(least);
        long grantedAt = System.nanoTime();
        Lease lease = one.acquire(request);
        long before = System.nanoTime();
        assertThat(lease.release()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("the release does not wait")
                .isLessThan(Duration.ofMillis(1_500));
        assertThat(lease.isHeld()).isFalse();
        assertThat(redis.ttl(LOCK)).isBetween(1L, 2_000L);
        assertThat(one.tryAcquire(X)).as("not even its owner").isEmpty();

        Lease next = other.acquire(X.waitTime(Duration.ofSeconds(8)));
        assertThat(Duration.ofNanos(System.nanoTime() - grantedAt)).isGreaterThanOrEqualTo(least.minusMillis(5));
        assertThat(next.release()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void lockThatWasHeldLongEnoughIsFreeAtOnce() {
        Lease lease = one.acquire(X.holdAtLeast(Duration.ofMillis(50)));
        await().pollDelay(Duration.ofMillis(60)).until(() -> true);
        assertThat(lease.release()).isTrue();
        assertThat(other.tryAcquire(X)).hasValueSatisfying(Lease::close);
    }

    @Test
    void longerHoldOfAReentryIsKept() {
        Lease outer = one.acquire(X);
        Lease inner = one.acquire(LockRequest.of("x").holdAtLeast(Duration.ofSeconds(10)));
        inner.close();
        outer.close();
        assertThat(other.tryAcquire(X)).isEmpty();
        assertThat(redis.ttl(LOCK)).isBetween(5_000L, 10_000L);
    }

    @Test
    void holdLongerThanTheDefaultLeaseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.acquire(LockRequest.of("x").holdAtLeast(Duration.ofSeconds(31))))
                .withMessageContaining("holdAtLeast 31000 ms of lock 'x.global' is longer than its lease of 30000 ms")
                .withMessageContaining("baton.expire");
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void attemptsTellHowOftenItWasAskedFor() throws Exception {
        LockTemplate impatient = processes.start(builder -> builder.recheck(Duration.ofMillis(100)));
        Lease lease = one.acquire(X);
        assertThat(lease.attempts()).isEqualTo(1);
        long asked = System.nanoTime();
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> impatient.acquire(X.waitUnbounded()));
        // from its first answer on
        await().until(() -> impatient.engine().awaitedNames() == 1);
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        lease.close();
        Lease waited = waiter.get(5, TimeUnit.SECONDS);
        int possible = 3 + (int) Duration.ofNanos(System.nanoTime() - asked).dividedBy(Duration.ofMillis(80));
        assertThat(waited.attempts()).isBetween(2, possible);
        assertThat(waited.contended()).isTrue();
        assertThat(waited.waited()).isGreaterThan(Duration.ofMillis(400));
        waited.close();
    }

    @Test
    void thousandLeasesAreRenewedByAFewCommands() {
        Duration expire = Duration.ofSeconds(4);
        LockRequest request = LockRequest.of("x").expire(expire).renew(Renewal.ALWAYS);
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            leases.add(one.acquire(LockRequest.of("many", i).expire(expire).renew(request.renew())));
        }
        redis.resetStats();
        // each is renewed at least three times in that time
        await().atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ofMillis(5_400))
                .until(() -> true);
        long commands = redis.commandStats().getOrDefault("evalsha", 0L);
        assertThat(commands).as("renewals of 1,000 leases, three times or more").isBetween(12L, 300L);
        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(redis.keys()).filteredOn(key -> key.startsWith("lock:lock:")).hasSize(1_000);
        Optional<Lease> lost = leases.stream().filter(lease -> !lease.release()).findAny();
        assertThat(lost).isEmpty();
    }
}
