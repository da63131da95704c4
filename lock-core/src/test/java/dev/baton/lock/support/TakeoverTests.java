package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.busyAnswer;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.grantedBefore;
import static dev.baton.lock.support.TestEngine.tries;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Taking;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests requests that take locks from their holders: what is sent, and lost, late and refused answers. */
class TakeoverTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration STALL = Duration.ofMillis(500);
    private static final AcquisitionSpec FORCED = tries(LEASE).taking(Taking.AT_ONCE);

    private TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void forcedRequestSendsOneCommand() {
        CompletableFuture<Acquisition> caller = test.acquire(FORCED);
        Sent<ForceAcquireCommand, ForceAcquireReply> sent = test.store.nextForced();
        assertThat(sent.command().expected()).isEqualTo(ForceAcquireCommand.ANY);
        assertThat(sent.command().request().kind()).isEqualTo(Kind.TRY);
        sent.answer(taken(7, 6));
        Acquisition acquisition = get(caller);
        assertThat(acquisition.lastGrant().token).isEqualTo(7);
        assertThat(acquisition.isContended()).isTrue();
        assertThat(acquisition.waitedFor()).returns(6L, LockHolder::fencingToken);
        assertThat(test.store.acquires).isEmpty();
    }

    @Test
    void requestWithoutAnAnswerEndsWithAMark() {
        CompletableFuture<Acquisition> caller = test.acquire(FORCED);
        test.store.nextForced().fail(TestEngine.passing());
        assertThatThrownBy(() -> caller.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(LockStoreException.class);
        Sent<EndCommand, EndReply> end = test.store.nextEnd();
        assertThat(end.command().markMillis()).as("it may be carried out yet").isPositive();
        end.answer(ended(Role.HOLDER));
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void lateGrantOfARequestThatWasGivenUpIsGivenBack() throws Exception {
        var pending = test.engine.acquireAsync(FORCED, acquisition -> {});
        Sent<ForceAcquireCommand, ForceAcquireReply> sent = test.store.nextForced();
        pending.cancel();
        Sent<EndCommand, EndReply> end = test.store.nextEnd();
        assertThat(end.command().markMillis()).isPositive();
        sent.answer(taken(7, 6));
        end.answer(ended(Role.NOTHING));
        assertThat(pending.outcome()).isCancelled();
    }

    @Test
    void storeThatCannotTakeLocksSaysSo() {
        CompletableFuture<Acquisition> caller = test.acquire(FORCED);
        Sent<ForceAcquireCommand, ForceAcquireReply> sent = test.store.nextForced();
        sent.fail(test.store.unsupported(sent.command()));
        assertThatThrownBy(() -> caller.get(5, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("cannot take a lock from its holder in one step")
                .hasMessageContaining("release it by force, and acquire it");
        test.store.ends.clear();
    }

    @Test
    void holderOfTheSameProcessLosesTheLockWithTheAnswer() {
        Acquisition holder = test.hold(waits(LEASE), 6);
        CompletableFuture<Acquisition> caller = test.acquire(FORCED);
        test.store.nextForced().answer(taken(7, 6));
        assertThat(get(caller).grant()).isNotNull();
        assertThat(holder.isLost()).isTrue();
        assertThat(holder.lossReason()).isEqualTo(LossReasons.REVOKED);
    }

    /** The lock was granted to another request of this process, after it was taken and before the answer came. */
    @Test
    void laterHolderOfTheSameProcessKeepsTheLock() {
        CompletableFuture<Acquisition> caller = test.acquire(FORCED);
        Sent<ForceAcquireCommand, ForceAcquireReply> sent = test.store.nextForced();
        Acquisition later = test.hold(waits(LEASE), 9);
        sent.answer(taken(7, 6));
        get(caller);
        assertThat(later.isLost()).isFalse();
    }

    @Test
    void stuckHolderLosesTheLock() {
        CompletableFuture<Acquisition> caller = test.acquire(steals());
        stall(6);
        Sent<ForceAcquireCommand, ForceAcquireReply> sent = test.store.nextForced();
        assertThat(sent.command().expected()).isEqualTo(6);
        assertThat(sent.command().request().kind()).isEqualTo(Kind.MESSAGE);
        sent.answer(taken(8, 6));
        assertThat(get(caller).lastGrant().token).isEqualTo(8);
        assertThat(test.engine.awaitedNames()).isZero();
    }

    @Test
    void holderThatHasChangedIsWatchedInItsTurn() {
        CompletableFuture<Acquisition> caller = test.acquire(steals());
        stall(6);
        test.store.nextForced().answer(new ForceAcquireReply(busyAnswer(7, Duration.ofHours(1)), List.of(), false));
        test.settle();
        assertThat(caller).isNotDone();
        test.engine.inbox().listening();
        stall(7);
        Sent<ForceAcquireCommand, ForceAcquireReply> sent = test.store.nextForced();
        assertThat(sent.command().expected()).isEqualTo(7);
        sent.answer(taken(8, 7));
        get(caller);
    }

    /** With several locks, another than the stuck holder may be in the way: it is asked about at the next recheck only. */
    @Test
    void refusalIsNotFollowedByAnotherAttemptAtOnce() {
        test.acquire(steals());
        stall(6);
        test.store.nextForced().answer(new ForceAcquireReply(busyAnswer(6, Duration.ofHours(1)), List.of(), false));
        test.settle();
        assertThat(test.store.forced).isEmpty();
        test.engine.inbox().listening();
        test.store.nextAcquire().answer(busy(6));
        assertThat(test.store.nextForced().command().expected()).isEqualTo(6);
    }

    @Test
    void lockThatIsFreeByThenIsAskedForAtOnce() {
        CompletableFuture<Acquisition> caller = test.acquire(steals());
        stall(6);
        test.store.nextForced().answer(new ForceAcquireReply(new Busy(null, 6), List.of(), false));
        test.store.nextAcquire().answer(granted(7));
        assertThat(get(caller).lastGrant().token).isEqualTo(7);
    }

    @Test
    void lostAnswerToATheftIsFoundByTheNextQuestion() {
        CompletableFuture<Acquisition> caller = test.acquire(steals());
        stall(6);
        test.store.nextForced().fail(TestEngine.passing());
        test.store.nextAcquire().answer(grantedBefore(8));
        assertThat(get(caller).lastGrant().token).isEqualTo(8);
    }

    @Test
    void requestThatDoesNotStealFails() {
        CompletableFuture<Acquisition> caller = test.acquire(steals().taking(Taking.NEVER));
        stall(6);
        assertThatThrownBy(() -> caller.get(5, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        LockTimeoutException.class,
                        ex -> assertThat(ex.isStuck()).isTrue());
        test.store.nextEnd().answer(ended(Role.WAITER));
        assertThat(test.store.forced).isEmpty();
    }

    @Test
    void lockThatMayHaveBeenTakenIsReported() {
        try (LogCapture log = new LogCapture("dev.baton.lock.engine.wait.Takeovers")) {
            test.acquire(steals());
            stall(6);
            test.store.nextForced().fail(TestEngine.passing());
            assertThat(log.messages(Level.WARN))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("may have been taken from the holder with token 6 by ")
                    .contains("has not answered within");
        }
    }

    @Test
    void commandThatWasNotCarriedOutIsNotReported() {
        try (LogCapture log = new LogCapture("dev.baton.lock.engine.wait.Takeovers")) {
            test.acquire(FORCED);
            test.store.nextForced().fail(TestEngine.notReady());
            assertThat(log.messages(Level.WARN)).isEmpty();
        }
    }

    /** Answers two questions, a stall time apart, with the same holder. */
    private void stall(long token) {
        test.store.nextAcquire().answer(busy(token));
        test.time.advance(STALL);
        test.store.nextAcquire().answer(busy(token));
    }

    private static AcquisitionSpec steals() {
        return TestEngine.waiting(waits(LEASE), true, STALL, null).taking(Taking.IF_STUCK);
    }

    private static ForceAcquireReply taken(long token, long from) {
        Answer granted = new Granted(token, false);
        LockHolder holder = new LockHolder("web-1:1/main", "j:t1", from, Duration.ZERO, Duration.ofHours(1));
        return new ForceAcquireReply(granted, List.of(holder), false);
    }
}
