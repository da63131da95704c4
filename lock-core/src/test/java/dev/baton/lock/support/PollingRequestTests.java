package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests requests that poll, in an engine whose store grants to its queue. No recheck helps them. */
class PollingRequestTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration INTERVAL = Duration.ofMillis(5);

    /** An answer after which no request has joined a queue. */
    private static final AcquireReply BUSY =
            new AcquireReply(false, List.of(TestEngine.busyAnswer(6, LEASE)), false, false, false);

    private final TestEngine test = new TestEngine(TestEngine.cohort(2, Duration.ofMillis(20)));
    private final FakeLockStore store = test.store;

    PollingRequestTests() {
        store.reserving = true;
    }

    @AfterEach
    void stop() {
        test.close();
    }

    private static AcquisitionSpec polls() {
        return TestEngine.polling(waits(LEASE), INTERVAL);
    }

    @Test
    void everyAcquireIsATryUntilOneIsGranted() {
        CompletableFuture<Acquisition> caller = test.acquire(polls());
        String id = null;
        for (int i = 0; i < 4; i++) {
            AcquireCommand.Request asked = answerTry(busy(6));
            assertThat(id == null ? asked.id() : id).isEqualTo(asked.id());
            assertThat(asked.reserve()).isZero();
            id = asked.id();
        }
        answerTry(granted(8));
        Acquisition acquisition = get(caller);
        assertThat(acquisition.lastGrant().token).isEqualTo(8);
        assertThat(acquisition.attempts()).isEqualTo(5);
        assertThat(acquisition.isContended()).isTrue();
        assertThat(test.engine.awaitedNames()).isZero();
    }

    private AcquireCommand.Request answerTry(AcquireReply reply) {
        Sent<AcquireCommand, AcquireReply> sent = store.nextAcquire();
        AcquireCommand.Request asked = sent.command().requests().get(0);
        assertThat(asked.kind()).isEqualTo(Kind.TRY);
        sent.answer(reply);
        return asked;
    }

    @Test
    void busyRequestThatTimesOutIsNotEndedInTheStore() {
        CompletableFuture<Acquisition> caller =
                test.acquire(TestEngine.polling(TestEngine.spec(LEASE, false, Duration.ofMillis(500), false), LEASE));
        answerTry(busy(6));
        assertThatThrownBy(() -> caller.get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("held by web-1:1/main");
        test.settle();
        assertThat(store.ends).as("it is in no queue").isEmpty();
        assertThat(test.engine.openRequests()).isZero();
        assertThat(test.engine.awaitedNames()).isZero();
        assertThat(test.engine.waiters()).isZero();
    }

    @Test
    void requestIsEndedWithAMarkIfAPollMayStillBeCarriedOut() {
        PendingAcquisition pending = test.engine.acquireAsync(polls(), begun -> {});
        answerTry(busy(6));
        Sent<AcquireCommand, AcquireReply> late = store.nextAcquire();
        pending.cancel();

        Sent<EndCommand, EndReply> end = store.nextEnd();
        assertThat(end.command().markMillis()).isPositive();
        assertThat(end.command().waiter()).isNotNull().returns(Kind.TRY, AcquireCommand.Request::kind);
        end.answer(ended(Role.NOTHING));
        late.answer(granted(7));
        store.nextEnd().answer(ended(Role.HOLDER));
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void interruptEndsThePolling() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Acquisition> caller = CompletableFuture.supplyAsync(
                () -> {
                    thread.complete(Thread.currentThread());
                    return test.engine.acquire(TestEngine.polling(waits(LEASE), LEASE));
                },
                task -> new Thread(task).start());
        answerTry(busy(6));
        get(thread).interrupt();
        assertThatThrownBy(() -> caller.get()).hasCauseInstanceOf(LockInterruptedException.class);
        assertThat(test.engine.awaitedNames()).isZero();
    }

    @Test
    void holderThatStaysForTheStallTimeEndsThePolling() {
        AcquisitionSpec stalls =
                TestEngine.waiting(TestEngine.polling(waits(LEASE), LEASE), true, Duration.ofMillis(200), null);
        CompletableFuture<Acquisition> caller = test.acquire(stalls);
        answerTry(busy(6));
        test.time.advance(Duration.ofMillis(200));
        answerTry(busy(6));
        assertThatThrownBy(() -> caller.get())
                .cause()
                .isInstanceOfSatisfying(
                        LockTimeoutException.class,
                        ex -> assertThat(ex.isStuck()).isTrue());
    }

    @Test
    void pollingRequestJoinsNoCohort() {
        test.engine.acquireAsync(waits(LEASE), begun -> {});
        assertThat(store.nextAcquire().command().requests().get(0).kind()).isEqualTo(Kind.MESSAGE);
        PendingAcquisition polls = test.engine.acquireAsync(polls(), begun -> {});
        answerTry(busy(6));
        answerTry(granted(8));
        assertThat(get(polls.outcome()).lastGrant().token).isEqualTo(8);

        // nor is its lock passed on within the process
        test.engine.releaser().releaseAsync(get(polls.outcome()));
        assertThat(store.nextEnd().command().waiter()).isNull();
        assertThat(store.exchanges).isEmpty();
    }

    @Test
    void requestsOfAProcessPollTogetherByTheOldest() {
        PendingAcquisition first = test.engine.acquireAsync(polls(), begun -> {});
        String oldest = answerTry(busy(6)).id();
        // its next poll is under way, so that the second request does not join a round in between
        Sent<AcquireCommand, AcquireReply> poll = store.nextAcquire();
        PendingAcquisition second = test.engine.acquireAsync(polls(), begun -> {});
        assertThat(answerTry(busy(6)).id()).isNotEqualTo(oldest);
        poll.answer(BUSY);
        for (int i = 0; i < 3; i++) {
            Sent<AcquireCommand, AcquireReply> next = store.nextAcquire();
            assertThat(next.command().requests())
                    .extracting(AcquireCommand.Request::id)
                    .containsExactly(oldest);
            next.answer(BUSY);
        }
        assertThat(first.outcome()).isNotDone();
        assertThat(second.outcome()).isNotDone();
    }
}
