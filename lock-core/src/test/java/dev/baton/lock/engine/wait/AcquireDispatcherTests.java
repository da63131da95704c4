package dev.baton.lock.engine.wait;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.busyAnswer;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.grantedBefore;
import static dev.baton.lock.support.TestEngine.reply;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcquireDispatcherTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration SHORT_RECHECK = Duration.ofMillis(20);
    private static final long USABLE = TestEngine.usable(LEASE).toNanos();

    private TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    private void restart(Duration recheck) {
        test.close();
        test = new TestEngine(TestEngine.settings(recheck, Duration.ofDays(1)));
    }

    @Test
    void grantByAnswerCountsFromTheSendingOfItsAcquire() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        test.time.advance(Duration.ofSeconds(3));
        acquire.answer(granted(7));

        Grant grant = get(caller).lastGrant();
        assertThat(grant.token).isEqualTo(7);
        assertThat(grant.end() - ManualTime.START).isEqualTo(USABLE);
        assertThat(grant.grantedAt - ManualTime.START)
                .isEqualTo(Duration.ofSeconds(3).toNanos());
    }

    @Test
    void grantByMessageBeforeAnyAnswerCountsFromTheFirstAcquire() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        test.time.advance(Duration.ofSeconds(3));
        test.engine.inbox().granted(NAME, id(acquire), 7);

        assertThat(get(caller).lastGrant().end() - ManualTime.START).isEqualTo(USABLE);
        acquire.answer(grantedBefore(7));
        test.settle();
        assertThat(test.store.ends).isEmpty();
    }

    @Test
    void grantByMessageCountsFromTheLastAcquireAnsweredBusy() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> first = test.store.nextAcquire();
        first.answer(busy(6));
        test.time.advance(Duration.ofSeconds(1));
        test.engine.inbox().listening();
        test.store.nextAcquire().answer(busy(6));
        test.time.advance(Duration.ofSeconds(1));
        test.engine.inbox().listening();
        test.store.nextAcquire();
        test.time.advance(Duration.ofSeconds(1));
        test.engine.inbox().granted(NAME, id(first), 7);

        assertThat(get(caller).lastGrant().end() - ManualTime.START)
                .as("the second of three acquires was the last with an answer")
                .isEqualTo(Duration.ofSeconds(1).toNanos() + USABLE);
    }

    @Test
    void overtakenMessageMakesTheWaiterAsk() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(7));

        test.engine.inbox().granted(NAME, id(acquire), 7);
        test.store.nextAcquire().answer(busy(7));
        assertThat(caller).isNotDone();
        assertThat(test.store.ends).isEmpty();

        test.engine.inbox().granted(NAME, id(acquire), 8);
        assertThat(get(caller).lastGrant().token).isEqualTo(8);
    }

    @Test
    void grantExpiredByTheLocalClockMakesTheWaiterAsk() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> first = test.store.nextAcquire();
        first.answer(busy(6));
        test.time.advance(LEASE);

        test.engine.inbox().granted(NAME, id(first), 7);
        Sent<AcquireCommand, AcquireReply> second = test.store.nextAcquire();
        assertThat(id(second)).isEqualTo(id(first));
        assertThat(caller).isNotDone();
        second.answer(grantedBefore(7));

        assertThat(get(caller).lastGrant().end() - ManualTime.START).isEqualTo(LEASE.toNanos() + USABLE);
    }

    @Test
    void answerAfterTheUsableLeaseMakesTheWaiterAsk() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> first = test.store.nextAcquire();
        test.time.advance(TestEngine.usable(LEASE));
        first.answer(granted(7));
        Sent<AcquireCommand, AcquireReply> second = test.store.nextAcquire();
        assertThat(caller).isNotDone();
        second.answer(busy(9));
        test.settle();
        assertThat(caller).isNotDone();
    }

    @Test
    void twoUnannouncedGrantsInARowRenewTheSubscription() {
        learnByAsking(7);
        assertThat(test.store.listenedAnew).hasValue(0);
        learnByAsking(8);
        assertThat(test.store.listenedAnew).hasValue(1);
        learnByAsking(9);
        assertThat(test.store.listenedAnew).as("and counting starts again").hasValue(1);
    }

    @Test
    void messageInBetweenShowsThatTheSubscriptionWorks() {
        learnByAsking(7);
        CompletableFuture<Acquisition> told = test.acquire(waits(LEASE));
        test.engine.inbox().granted(NAME, id(test.store.nextAcquire()), 8);
        get(told);
        learnByAsking(9);

        assertThat(test.store.listenedAnew).hasValue(0);
    }

    @Test
    void grantAnnouncedBeforeTheAnswerIsNoMissedMessage() {
        CompletableFuture<Acquisition> told = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> recheck = recheckAfterBusy(6);
        test.engine.inbox().granted(NAME, id(recheck), 7);
        get(told);
        recheck.answer(grantedBefore(7));
        learnByAsking(8);

        assertThat(test.store.listenedAnew).hasValue(0);
    }

    @Test
    void grantsWithoutASubscriptionAreNoMissedMessages() {
        test.store.listening = false;
        learnByAsking(7);
        learnByAsking(8);

        assertThat(test.store.listenedAnew).hasValue(0);
    }

    @Test
    void freeLockFoundByARecheckIsNoMissedMessage() {
        for (int token = 7; token < 10; token++) {
            CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
            recheckAfterBusy(6).answer(granted(token));
            get(caller);
        }

        assertThat(test.store.listenedAnew).hasValue(0);
    }

    private void learnByAsking(long token) {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        recheckAfterBusy(token - 1).answer(grantedBefore(token));
        get(caller);
    }

    /** Returns the second acquire of the only waiter. */
    private Sent<AcquireCommand, AcquireReply> recheckAfterBusy(long mark) {
        test.store.nextAcquire().answer(busy(mark));
        test.engine.inbox().listening();
        return test.store.nextAcquire();
    }

    /** Of a command that was carried out twice, the first answer may have said that the place was lost. */
    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void newSubscriptionMakesTheOldestAskAndAllAskIfItMayHaveLostItsPlace(boolean repeated, boolean joined) {
        CompletableFuture<Acquisition> one = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> first = test.store.nextAcquire();
        first.answer(busy(6));
        CompletableFuture<Acquisition> other = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));

        test.engine.inbox().listening();

        Sent<AcquireCommand, AcquireReply> recheck = test.store.nextAcquire();
        assertThat(recheck.command().requests()).hasSize(1);
        assertThat(id(recheck)).isEqualTo(id(first));
        recheck.answer(new AcquireReply(false, List.of(busyAnswer(6, LEASE)), repeated, false, joined));
        test.store.nextAcquire().answer(reply(new Granted(8, true)));
        assertThat(get(other).lastGrant().token).isEqualTo(8);
        assertThat(one).isNotDone();
    }

    /** The message of the grant was lost, and the waiter is not the oldest, because acquires may overtake each other. */
    @Test
    void recheckOfTheOldestFindsTheGrantOfAnother() {
        CompletableFuture<Acquisition> one = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));
        CompletableFuture<Acquisition> other = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> second = test.store.nextAcquire();
        second.answer(busy(6));

        test.engine.inbox().listening();

        Busy busy = new Busy(busyAnswer(8, LEASE).holder(), 8, id(second));
        test.store.nextAcquire().answer(new AcquireReply(false, List.of(busy), false, false, false));
        Sent<AcquireCommand, AcquireReply> own = test.store.nextAcquire();
        assertThat(id(own)).isEqualTo(id(second));
        own.answer(reply(new Granted(8, true)));
        assertThat(get(other).lastGrant().token).isEqualTo(8);
        assertThat(one).isNotDone();
    }

    @Test
    void recheckOfTheOldestIsEvidenceForTheLeaseOfAnother() {
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));
        CompletableFuture<Acquisition> other = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> second = test.store.nextAcquire();
        second.answer(busy(6));
        test.time.advance(LEASE.multipliedBy(2));

        test.engine.inbox().listening();
        test.store.nextAcquire().answer(new AcquireReply(false, List.of(busyAnswer(7, LEASE)), false, false, false));
        test.engine.inbox().granted(TestEngine.NAME, id(second), 8);

        assertThat(get(other).lastGrant().token).isEqualTo(8);
    }

    @Test
    void waiterWithAnIncompleteAnswerAsksAtOnce() {
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(incomplete());

        assertThat(test.store.nextAcquire()).isNotNull();
    }

    @Test
    void tryWithAnIncompleteAnswerAsksAtOnce() {
        CompletableFuture<Acquisition> caller = test.acquire(TestEngine.tries(LEASE));
        test.store.nextAcquire().answer(incomplete());
        test.store.nextAcquire().answer(granted(7));

        assertThat(get(caller).lastGrant().token).isEqualTo(7);
    }

    private static AcquireReply incomplete() {
        return new AcquireReply(true, List.of(busyAnswer(6, LEASE)), false, false);
    }

    @Test
    void waiterWithoutASubscriptionAsksBeforeAGrantWouldLapse() {
        test.store.listening = false;
        test.acquire(waits(Duration.ofMillis(100)));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        assertThat(acquire.command().requests())
                .extracting(AcquireCommand.Request::kind)
                .containsExactly(AcquireCommand.Kind.POLL);
        acquire.answer(busy(6));

        assertThat(test.store.nextAcquire()).isNotNull();
    }

    @Test
    void waiterPollsUntilTheSubscriptionIsRestored() {
        test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        assertThat(kind(acquire)).isEqualTo(AcquireCommand.Kind.MESSAGE);
        acquire.answer(new AcquireReply(true, List.of(busyAnswer(6, LEASE)), false, true));
        acquire = test.store.nextAcquire();
        assertThat(kind(acquire)).isEqualTo(AcquireCommand.Kind.POLL);
        acquire.answer(new AcquireReply(false, List.of(busyAnswer(6, LEASE)), false, true));

        test.engine.inbox().listening();

        assertThat(kind(test.store.nextAcquire())).isEqualTo(AcquireCommand.Kind.MESSAGE);
    }

    private static AcquireCommand.Kind kind(Sent<AcquireCommand, ?> acquire) {
        return acquire.command().requests().get(0).kind();
    }

    @Test
    void waiterRechecksDuringTheLongestLeaseOfAHolder() {
        restart(SHORT_RECHECK);
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6, Duration.ofMillis(Long.MAX_VALUE)));

        assertThat(test.store.nextAcquire()).isNotNull();
    }

    @Test
    void waiterRechecksAFreeLockThatIsKeptForOthers() {
        restart(SHORT_RECHECK);
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(reply(new AcquireReply.Busy(null, 6)));

        assertThat(test.store.nextAcquire()).isNotNull();
    }

    @Test
    void commandOfASingleWaiterTimesOutBeforeItsWaitEnds() {
        test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(500), false));

        assertThat(test.store.nextAcquire().command().timeoutNanos())
                .isEqualTo(Duration.ofMillis(495).toNanos());
    }

    @Test
    void commandTimesOutAtTheCommandTimeoutAtTheLatest() {
        test.acquire(waits(LEASE));

        assertThat(test.store.nextAcquire().command().timeoutNanos()).isEqualTo(TestEngine.CALM.commandTimeoutNanos());
    }

    private static String id(Sent<AcquireCommand, ?> acquire) {
        return acquire.command().requests().get(0).id();
    }
}
