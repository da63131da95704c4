package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.engine.LeaseReleaser;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefaultLeaseTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration USABLE = TestEngine.usable(LEASE);

    private final TestEngine test = new TestEngine();
    private final Semaphore lost = new Semaphore(0);
    private Acquisition acquisition;
    private DefaultLease lease;

    @BeforeEach
    void hold() {
        acquisition = test.hold(waits(LEASE), 7);
        lease = test.lease(acquisition);
    }

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void heldLeaseReportsItsState() {
        test.time.advance(Duration.ofMinutes(1));

        assertThat(lease.names()).containsExactly("server_access.42");
        assertThat(lease.redisKeys()).containsExactly("fake:server_access.42");
        assertThat(lease.owner()).isEqualTo("i:t7");
        assertThat(lease.fencingToken()).isEqualTo(7);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isExpired()).isFalse();
        assertThat(lease.remaining()).isEqualTo(USABLE.minusMinutes(1));
        assertThat(lease.expiresAt().toEpochMilli())
                .isEqualTo(test.time.wallMillis() + USABLE.minusMinutes(1).toMillis());
    }

    /** The clock decides, whether or not a thread has run at that moment. */
    @Test
    void leaseIsHeldUntilItsLocalEnd() {
        test.time.advance(USABLE.minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        test.time.advance(Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void releaseIsTrueOnceForAHeldLease() {
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        test.store.nextEnd().answer(ended(Role.HOLDER));

        assertThat(get(released)).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.release()).isFalse();
        lease.close();
        assertThat(test.store.ends).isEmpty();
    }

    @Test
    void releaseOfALeaseUnknownToTheStoreIsALoss() throws Exception {
        try (LogCapture log = new LogCapture(Acquisition.class.getName())) {
            lease.onLost(lost::release);
            CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
            test.store.nextEnd().answer(ended(Role.NOTHING));

            assertThat(get(released)).isFalse();
            assertThat(lease.isExpired()).isTrue();
            assertLostOnce();
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "Lock 'server_access.42' was lost by web-3:4711/http-7 (token 7): " + LossReasons.UNKNOWN);
        }
    }

    @Test
    void attemptsAreThoseOfTheGrant() {
        assertThat(lease.attempts()).isEqualTo(1);
    }

    @Test
    void releasedLockIsKeptForTheRestOfItsMinimumHold() {
        acquisition
                .lastGrant()
                .keepUntil(acquisition.lastGrant().grantedAt
                        + Duration.ofMinutes(5).toNanos());
        acquisition
                .lastGrant()
                .keepUntil(acquisition.lastGrant().grantedAt
                        + Duration.ofMinutes(2).toNanos());
        test.time.advance(Duration.ofMinutes(4).minusNanos(1));
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        Sent<EndCommand, EndReply> end = test.store.nextEnd();
        assertThat(end.command().keepMillis()).as("rounded up").isEqualTo(60_001);
        test.time.advance(Duration.ofSeconds(1));
        end.fail(TestEngine.passing());
        Sent<EndCommand, EndReply> again = test.store.nextEnd();
        assertThat(again.command().keepMillis())
                .as("the retry does not prolong the time")
                .isEqualTo(59_001);
        again.answer(ended(Role.HOLDER));
        assertThat(get(released)).isTrue();
    }

    @Test
    void lockThatWasHeldLongEnoughIsNotKept() {
        acquisition
                .lastGrant()
                .keepUntil(acquisition.lastGrant().grantedAt
                        + Duration.ofMinutes(2).toNanos());
        test.time.advance(Duration.ofMinutes(2));
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        Sent<EndCommand, EndReply> end = test.store.nextEnd();
        assertThat(end.command().keepMillis()).isZero();
        end.answer(ended(Role.HOLDER));
        assertThat(get(released)).isTrue();
    }

    @Test
    void lostLockIsNotKept() {
        acquisition
                .lastGrant()
                .keepUntil(acquisition.lastGrant().grantedAt
                        + Duration.ofMinutes(5).toNanos());
        test.engine.leases().lost(acquisition.ticket(), acquisition.lastGrant(), "it was deleted");
        assertThat(test.store.nextEnd().command().keepMillis()).isZero();
    }

    @Test
    void repeatedReleaseThatFindsNothingWasSuccessful() {
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        test.store.nextEnd().fail(TestEngine.passing());
        test.store.nextEnd().answer(ended(Role.NOTHING));

        assertThat(get(released)).isTrue();
        assertThat(lease.isExpired()).isFalse();
    }

    @Test
    void releaseThatFindsNothingAfterAnUnsentAttemptIsALoss() {
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        test.store.nextEnd().fail(TestEngine.notReady());
        test.store.nextEnd().answer(ended(Role.NOTHING));

        assertThat(get(released)).isFalse();
    }

    @Test
    void lateAnswerToAReleaseReportsTheLoss() {
        assertThat(lease.release()).as("without an answer in time").isTrue();
        assertThat(acquisition.loss()).isNotDone();

        test.store.nextEnd().answer(ended(Role.NOTHING));

        assertThat(acquisition.loss()).isCompleted();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void repeatedReleaseThatFindsNothingAfterTheLeaseIsALoss() {
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        Sent<EndCommand, EndReply> end = test.store.nextEnd();
        test.time.advance(LEASE);
        end.answer(new EndReply(Role.NOTHING, List.of(), false, true));

        assertThat(get(released)).isFalse();
    }

    @Test
    void repeatedReleaseThatFindsSomeMissingIsALoss() {
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        test.store.nextEnd().answer(new EndReply(Role.NOTHING, TestEngine.NAME, false, true));

        assertThat(get(released)).isFalse();
        assertThat(lease.lost(null).lostNames()).containsExactly("server_access.42");
    }

    @Test
    void releaseWithoutAnAnswerIsRetried() {
        try (LogCapture log = new LogCapture(LeaseReleaser.class.getName())) {
            long asked = System.nanoTime();
            assertThat(lease.release()).as("held according to the local clock").isTrue();
            Duration timeout = Duration.ofNanos(test.engine.settings().commandTimeoutNanos());
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .isBetween(timeout.minusMillis(50), timeout.plusSeconds(2));

            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "The release of lock 'server_access.42' was not confirmed; the lock comes free when its lease"
                                    + " ends at the latest");
        }
        test.store.nextEnd().fail(TestEngine.passing());
        test.store.nextEnd().answer(ended(Role.HOLDER));
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void refusedReleaseReturnsAtOnce() {
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        long refusedAt = System.nanoTime();
        test.store.nextEnd().fail(TestEngine.refusal());

        assertThat(get(released)).as("held according to the local clock").isTrue();
        assertThat(System.nanoTime() - refusedAt)
                .isLessThan(test.engine.settings().commandTimeoutNanos());
        assertThat(test.engine.openRequests()).as("the end is retried").isEqualTo(1);
    }

    @Test
    void failedRenewalDoesNotChangeTheLengthOfLaterRenewals() {
        CompletableFuture<Boolean> renewed = CompletableFuture.supplyAsync(() -> lease.renew(Duration.ofHours(1)));
        test.store.nextRenewal().fail(TestEngine.passing());

        Awaitility.await().until(renewed::isCompletedExceptionally);
        assertThat(acquisition.leaseNanos()).isEqualTo(LEASE.toNanos());
    }

    @Test
    void lossRunsACallbackOnce() throws Exception {
        lease.onLost(lost::release);
        Grant grant = acquisition.lastGrant();
        test.engine.leases().lost(acquisition.ticket(), grant, "it was deleted");
        test.engine.leases().lost(acquisition.ticket(), grant, "again");
        test.store.nextEnd().answer(ended(Role.NOTHING));

        assertLostOnce();
    }

    @Test
    void callbackRegisteredAfterTheLossRunsAtOnce() throws Exception {
        test.time.advance(LEASE);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isTrue();

        lease.onLost(lost::release);

        assertLostOnce();
    }

    @Test
    void failingCallbackDoesNotPreventOthers() throws Exception {
        lease.onLost(() -> {
            throw new IllegalStateException("the user's own");
        });
        lease.onLost(lost::release);
        test.time.advance(LEASE);
        lease.isHeld();

        assertLostOnce();
    }

    @Test
    void slowCallbackDoesNotDelayTheEngine() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        lease.onLost(() -> {
            try {
                busy.await(5, TimeUnit.SECONDS);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        });
        test.time.advance(LEASE);
        lease.isHeld();
        assertThat(test.store.nextEnd().command().id())
                .isEqualTo(acquisition.ticket().id());
        test.settle();
        busy.countDown();
    }

    @Test
    void releaseInTimeRunsNoCallback() {
        lease.onLost(lost::release);
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release);
        test.store.nextEnd().answer(ended(Role.HOLDER));
        get(released);
        test.time.advance(LEASE);
        assertThat(lease.isHeld()).isFalse();
        test.settle();

        assertThat(acquisition.loss()).isNotDone();
        assertThat(lost.availablePermits()).isZero();
    }

    @Test
    void closingALostLeaseThrowsOnce() {
        test.time.advance(LEASE.plusSeconds(2));
        assertThat(lease.isHeld()).isFalse();
        test.time.advance(Duration.ofSeconds(3));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lease::close)
                .satisfies(ex -> assertThat(ex.lostFor()).isEqualTo(Duration.ofSeconds(3)))
                .satisfies(ex -> assertThat(ex.fencingToken()).isEqualTo(7))
                .withMessageContaining("its lease ended and was not renewed");
        lease.close();
    }

    @Test
    void lossNamesItsHolderAndTheHolderThatAnotherRequestHasSeen() {
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(TestEngine.busy(9));
        test.settle();
        test.time.advance(LEASE.plusSeconds(2));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lease::close)
                .withMessage(
                        "Lock 'server_access.42' was lost 0 ms before its holder web-3:4711/http-7 was done (token 7;"
                                + " its lease ended and was not renewed): web-1:1/main acquired it meanwhile (token 9); check"
                                + " what was written, and raise expire or renew the lease")
                .satisfies(
                        ex -> assertThat(ex.nextHolder().orElseThrow().owner()).isEqualTo("j:t1"));
    }

    @Test
    void lossNamesTheRequestOfThisProcessThatWasGrantedTheLockAfterwards() {
        test.hold(waits(LEASE.multipliedBy(2)), 8);
        test.time.advance(LEASE);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lease::close)
                .withMessageContaining("): web-3:4711/http-7 acquired it meanwhile (token 8); ");
    }

    @Test
    void holderBeforeTheLostLeaseIsNotItsNext() {
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(TestEngine.busy(7));
        test.settle();
        test.time.advance(LEASE);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lease::close)
                .withMessageContaining("): another caller may have held it meanwhile; ")
                .satisfies(ex -> assertThat(ex.nextHolder()).isEmpty());
    }

    @Test
    void explicitRenewalExtendsTheLease() {
        test.time.advance(Duration.ofMinutes(4));
        CompletableFuture<Boolean> renewed = CompletableFuture.supplyAsync(lease::renew);
        Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        assertThat(renewal.command().renewals().get(0).leaseMillis()).isEqualTo(600_000);
        renewal.answer(List.of(List.of()));

        assertThat(get(renewed)).isTrue();
        assertThat(lease.remaining()).isEqualTo(USABLE);
    }

    @Test
    void shorterRenewalDoesNotShortenTheLease() {
        CompletableFuture<Boolean> renewed = CompletableFuture.supplyAsync(() -> lease.renew(Duration.ofSeconds(1)));
        test.store.nextRenewal().answer(List.of(List.of()));

        assertThat(get(renewed)).isTrue();
        assertThat(lease.remaining()).isEqualTo(USABLE);
        assertThatIllegalArgumentException().isThrownBy(() -> lease.renew(Duration.ZERO));
    }

    @Test
    void refusedRenewalIsALoss() throws Exception {
        lease.onLost(lost::release);
        CompletableFuture<Boolean> renewed = CompletableFuture.supplyAsync(lease::renew);
        test.store.nextRenewal().answer(List.of(TestEngine.NAME));

        assertThat(get(renewed)).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertLostOnce();
    }

    @Test
    void failedRenewalReportsTheRemainingLease() {
        CompletableFuture<LockStoreException> failure = CompletableFuture.supplyAsync(() -> {
            try {
                lease.renew();
                throw new AssertionError("renewed by an unreachable store");
            } catch (LockStoreException ex) {
                return ex;
            }
        });
        test.store.nextRenewal().fail(TestEngine.passing());

        assertThat(get(failure))
                .hasMessage(
                        "Lock 'server_access.42' could not be renewed (599299 ms of its lease left): Redis at localhost:1"
                                + " has not answered within 2000 ms");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void lostLeaseIsNotRenewed() {
        test.time.advance(LEASE);

        assertThat(lease.renew()).isFalse();
        assertThat(lease.renew(LEASE)).isFalse();
        assertThat(test.store.renewals).isEmpty();
    }

    private void assertLostOnce() throws InterruptedException {
        assertThat(lost.tryAcquire(5, TimeUnit.SECONDS))
                .as("onLost runs within 5 s")
                .isTrue();
        test.settle();
        assertThat(lost.tryAcquire(50, TimeUnit.MILLISECONDS))
                .as("onLost runs twice")
                .isFalse();
    }
}
