package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that ends before its holder is done. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class LossTests extends OnBackend {

    private static final Logger log = LoggerFactory.getLogger(LossTests.class);

    private static final Duration LENGTH = Duration.ofSeconds(2);

    LossTests(Backend backend) {
        super(backend);
    }

    @Test
    void limitedLeaseEndsWhileTheHolderWorks() throws Exception {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        CountDownLatch told = new CountDownLatch(1);
        Lease lease = one.acquire(LockRequest.of("x").expire(Duration.ofSeconds(1)));
        lease.onLost(told::countDown);
        Lease next = other.acquire(LockRequest.of("x").expire(Duration.ofSeconds(30)));
        // whoever is granted next is granted after the holder could know
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(told.await(2, TimeUnit.SECONDS)).isTrue();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThatThrownBy(lease::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("Lock 'x.global' was lost")
                .hasMessageContaining(Long.toString(lease.fencingToken()));
        assertThat(next.isHeld()).isTrue();
        assertThat(redis.command("HGET", "lock:lock:{x.global}", "token"))
                .isEqualTo(Long.toString(next.fencingToken()));
        next.close();
    }

    @Test
    void defaultLeaseIsRenewedBeyondItsLength() throws Exception {
        LockTemplate one = processes.start(builder -> builder.expire(Duration.ofSeconds(3)));
        LockTemplate other = processes.start();
        Lease lease = one.acquire(LockRequest.of("x"));
        assertThat(other.tryAcquire(LockRequest.of("x").waitTime(Duration.ofSeconds(7))))
                .isEmpty();
        assertThat(lease.isHeld()).isTrue();
        lease.close();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void renewalStopsAtMaxHold() {
        LockTemplate template =
                processes.start(builder -> builder.expire(Duration.ofSeconds(1)).maxHold(Duration.ofSeconds(2)));
        Lease lease = template.acquire(LockRequest.of("x"));
        await().atMost(Duration.ofSeconds(6)).until(() -> !lease.isHeld());
        assertThat(lease.isExpired()).isTrue();
    }

    @Test
    void deletedKeyIsNoticedAtTheNextRenewal() throws Exception {
        LockTemplate template = processes.start(builder -> builder.expire(Duration.ofSeconds(6)));
        CountDownLatch told = new CountDownLatch(1);
        Lease lease = template.acquire(LockRequest.of("x"));
        lease.onLost(told::countDown);
        redis.command("DEL", "lock:lock:{x.global}");
        // the second one comes after 4 s
        assertThat(told.await(3_500, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isFalse();
    }

    @Test
    void releaseAndRenewalOfAnOldLeaseLeaveTheNewHolderAlone() {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        Lease old =
                one.acquire(LockRequest.of("x").expire(Duration.ofSeconds(20)).renew(Renewal.NEVER));
        redis.command("DEL", "lock:lock:{x.global}");
        Lease next = other.acquire(LockRequest.of("x").expire(Duration.ofSeconds(20)));
        assertThat(old.renew()).isFalse();
        assertThat(old.isHeld()).isFalse();
        assertThatThrownBy(old::close).isInstanceOf(LockLostException.class);
        assertThat(next.renew()).isTrue();
        assertThat(next.release()).isTrue();
    }

    @Test
    void workThatLostItsLockHasItsResultInTheException() {
        LockTemplate template = processes.start();
        assertThatThrownBy(() -> template.execute(LockRequest.of("x"), lease -> {
                    redis.command("DEL", "lock:lock:{x.global}");
                    return "done";
                }))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        ex -> assertThat(ex.getResult()).isEqualTo("done"));
        assertThatThrownBy(() -> template.execute(LockRequest.of("x"), lease -> {
                    redis.command("DEL", "lock:lock:{x.global}");
                    throw new IllegalStateException("work failed");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("work failed")
                .satisfies(ex -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
    }

    /** Tried again where the machine was too busy to run a thread in time; without the time to tell it never is in time. */
    @Test
    void hungRedisIsALossOfWhichTheHolderIsToldBeforeTheLeaseEnds() throws Exception {
        Processes.Started process =
                processes.startDeaf(builder -> builder.expire(LENGTH).commandTimeout(Duration.ofMillis(500)));
        boolean inTime = false;
        for (int i = 0; i < 5 && !inTime; i++) {
            inTime = isToldInTime(process);
        }
        assertThat(inTime).as("told before the lease can end in Redis").isTrue();
        // what was owed is delivered
        await().atMost(Duration.ofSeconds(8))
                .until(() -> process.template().engine().openRequests() == 0);
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    private boolean isToldInTime(Processes.Started process) throws Exception {
        Lease lease = process.template().acquire(LockRequest.of("x"));
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        redis.pause();
        try {
            Duration left = Duration.ofNanos(process.answers().earliestEnd(LENGTH) - told.get(5, TimeUnit.SECONDS));
            log.info("Told {} ms before the lease can end", left.toMillis());
            assertThat(lease.isHeld()).isFalse();
            assertThat(left).isLessThan(Duration.ofMillis(200));
            return left.toNanos() > 0;
        } finally {
            redis.resume();
        }
    }
}
