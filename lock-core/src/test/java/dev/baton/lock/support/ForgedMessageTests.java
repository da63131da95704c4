package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a message which contradicts the state of the process makes the process ask the store. */
class ForgedMessageTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final List<LockName> OTHER = List.of(new LockName("", "server_access.43"));

    private final TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void waiterDoesNotBelieveAGrantOfAnotherLock() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));

        test.engine.inbox().granted(OTHER, id(acquire), 7);

        test.store.nextAcquire().answer(busy(6));
        assertThat(caller).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 5, 6, Long.MAX_VALUE})
    void waiterDoesNotBelieveAGrantWithAnImpossibleToken(long token) {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));

        test.engine.inbox().granted(TestEngine.NAME, id(acquire), token);

        Sent<AcquireCommand, AcquireReply> question = test.store.nextAcquire();
        assertThat(caller).isNotDone();
        question.answer(TestEngine.granted(7));
        assertThat(get(caller).lastGrant().token).isEqualTo(7);
    }

    @Test
    void tokenMayBeADayAheadOfTheWallClock() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));
        long token = TimeUnit.MILLISECONDS.toMicros(
                test.time.wallMillis() + Duration.ofDays(1).toMillis() - 1);

        test.engine.inbox().granted(TestEngine.NAME, id(acquire), token);

        assertThat(get(caller).lastGrant().token).isEqualTo(token);
    }

    @Test
    void waiterAsksIfTheTokenOfItsGrantIsUnreadable() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));

        test.engine.inbox().doubtful(TestEngine.NAME, id(acquire));
        test.engine.inbox().doubtful(TestEngine.NAME, "other:1");

        test.store.nextAcquire().answer(TestEngine.granted(7));
        assertThat(get(caller).lastGrant().token).isEqualTo(7);
    }

    @Test
    void holderVerifiesItsLockIfAMessageRevokesAnotherLock() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);

        test.engine.inbox().revoked(OTHER, acquisition.ticket().id(), 7);

        Sent<RenewCommand, List<List<LockName>>> question = test.store.nextRenewal();
        assertThat(question.command().renewals().get(0).leaseMillis())
                .as("a length of 0 only asks")
                .isZero();
        question.answer(List.of(List.of()));
        test.settle();
        assertThat(acquisition.grant()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, Long.MAX_VALUE})
    void holderVerifiesItsLockIfAMessageRevokesAnImpossibleToken(long token) {
        Acquisition acquisition = test.hold(waits(LEASE), 7);

        test.engine.inbox().revoked(TestEngine.NAME, acquisition.ticket().id(), token);

        test.store.nextRenewal().answer(List.of(TestEngine.NAME));
        test.settle();
        assertThat(acquisition.isOver())
                .as("the store no longer knows the lock")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void holderDoesNotBelieveASecondGrantWithAnImpossibleToken(long token) {
        Acquisition acquisition = test.hold(waits(LEASE), 7);

        test.engine.inbox().granted(TestEngine.NAME, acquisition.ticket().id(), token);

        test.store.nextRenewal().answer(List.of(List.of()));
        test.settle();
        assertThat(acquisition.grant()).isNotNull();
    }

    @Test
    void requestOfAnotherProcessIsNotEnded() {
        test.engine.inbox().granted(TestEngine.NAME, "other:1", 7);
        test.engine.inbox().granted(TestEngine.NAME, test.engine.instance(), 7);

        test.settle();
        assertThat(test.store.ends).isEmpty();
    }

    @Test
    void manyMessagesMakeTheWaiterAskOnceAtATime() {
        test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));

        for (int i = 0; i < 1_000; i++) {
            test.engine.inbox().granted(TestEngine.NAME, id(acquire), 1);
        }
        test.settle();

        test.store.nextAcquire().answer(busy(6));
        test.store.nextAcquire().answer(busy(6));
        test.settle();
        assertThat(test.store.acquires).isEmpty();
    }

    @Test
    void ownerDoesNotRevealTheIdsOfRequests() {
        assertThat(test.engine.process()).isNotEqualTo(test.engine.instance()).hasSize(24);
    }

    private static String id(Sent<AcquireCommand, AcquireReply> acquire) {
        return acquire.command().requests().get(0).id();
    }
}
