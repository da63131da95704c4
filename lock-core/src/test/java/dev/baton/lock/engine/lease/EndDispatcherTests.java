package dev.baton.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.testing.LogCapture;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndDispatcherTests {

    private final FakeLockStore store = new FakeLockStore();
    private final ManualTime time = new ManualTime();
    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
    private final RecordingInbox inbox = new RecordingInbox();
    private final EndDispatcher ends = ending(inbox);
    private final Ticket ticket =
            registry.ticket(new Acquisition(TestEngine.waits(Duration.ofMinutes(2)), time.nanoTime(), registry));

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void endIsRetriedUntilItIsAnswered() {
        CompletableFuture<EndReply> answer = ends.end(ticket);
        assertThat(ends.isSettled()).isFalse();

        store.nextEnd().fail(TestEngine.passing());
        store.nextEnd().fail(TestEngine.passing());
        assertThat(answer).isNotDone();
        assertThat(ends.isSettled()).isFalse();
        assertThat(registry.find("i:1")).isSameAs(ticket);

        store.nextEnd().answer(TestEngine.ended(Role.NOTHING));
        assertThat(TestEngine.get(answer))
                .as("the store may have run an earlier attempt")
                .isEqualTo(new EndReply(Role.NOTHING, List.of(), false, true));
        assertThat(ends.isSettled()).isTrue();
        assertThat(registry.find("i:1")).isNull();
    }

    @Test
    void firstAnswerIsPassedOnUnchanged() {
        CompletableFuture<EndReply> answer = ends.end(ticket);
        store.nextEnd().answer(TestEngine.ended(Role.WAITER));

        assertThat(TestEngine.get(answer)).isEqualTo(TestEngine.ended(Role.WAITER));
        assertThat(ends.isSettled()).isTrue();
        assertThat(ends.size()).isZero();
    }

    @Test
    void endIsInOrderOnceAnEndOfItsKindWasCarriedOutInTurn() {
        ends.end(ticket);
        assertThat(ends.isInOrder(ticket)).as("the first end, not answered").isFalse();
        store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
        assertThat(ends.isInOrder(ticket)).as("answered").isFalse();

        Ticket next = ticket();
        ends.end(next);
        assertThat(ends.isInOrder(next)).isTrue();
        store.loseConnection();
        assertThat(ends.isInOrder(next)).as("over another connection").isFalse();
    }

    @Test
    void carriedEndIsInOrderOnceACarriedEndWasCarriedOutInTurn() {
        ends.end(ticket);
        store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
        CompletableFuture<EndReply> first = new CompletableFuture<>();
        Ticket carried = ticket();
        ends.end(carried, false, command -> first);
        assertThat(ends.isInOrder(carried)).as("only an end alone came in turn").isFalse();
        first.complete(TestEngine.ended(Role.HOLDER));

        Ticket next = ticket();
        ends.end(next, false, command -> new CompletableFuture<>());
        assertThat(ends.isInOrder(next)).isTrue();
    }

    private Ticket ticket() {
        return registry.ticket(new Acquisition(TestEngine.waits(Duration.ofMinutes(2)), time.nanoTime(), registry));
    }

    @Test
    void refusedEndCompletesAtOnceAndIsRetried() {
        try (LogCapture log = new LogCapture(EndDispatcher.class.getName())) {
            CompletableFuture<EndReply> answer = ends.end(ticket);
            store.nextEnd().fail(TestEngine.refusal());

            assertThat(answer).isCompletedWithValue(null);
            assertThat(ends.isSettled()).isFalse();
            store.nextEnd().fail(TestEngine.refusal());
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "The end of a request for lock 'server_access.42' was refused; it is retried, and the lock"
                                    + " comes free when its lease ends at the latest");
        }
        store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
        assertThat(ends.isSettled()).isTrue();
        assertThat(registry.find("i:1")).isNull();
    }

    @Test
    void endIsDroppedAfterTheLongestPossibleLease() {
        ends.end(ticket);
        time.advance(Duration.ofMinutes(2));
        store.nextEnd().fail(TestEngine.passing());
        FakeLockStore.Sent<EndCommand, EndReply> last = store.nextEnd();
        assertThat(ends.isSettled()).as("retried as long as a lease may last").isFalse();

        time.advance(Duration.ofNanos(1));
        last.fail(TestEngine.passing());

        assertThat(ends.isSettled()).isTrue();
        assertThat(registry.find("i:1")).isNull();
    }

    @Test
    void pendingEndIsNotSentTwice() {
        CompletableFuture<EndReply> first = ends.end(ticket);
        CompletableFuture<EndReply> second = ends.end(ticket);

        assertThat(second).isSameAs(first);
        assertThat(store.ends).hasSize(1);
    }

    /** A late answer to an acquire may end the ticket between its release and the end of the releaser. */
    @Test
    void laterEndGetsTheAnswerOfTheFirstEnd() {
        ends.end(ticket);
        store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
        assertThat(ends.isSettled()).isTrue();

        CompletableFuture<EndReply> answer = ends.end(ticket);
        store.nextEnd().answer(TestEngine.ended(Role.NOTHING));

        assertThat(TestEngine.get(answer)).isEqualTo(TestEngine.ended(Role.HOLDER));
        assertThat(ends.isSettled()).isTrue();
    }

    @Test
    void endIsNotMarkedWhenNoAcquireCanComeLate() {
        underWay();
        ticket.answered(false);

        ends.end(ticket);

        assertThat(store.nextEnd().command())
                .isEqualTo(new EndCommand(TestEngine.NAME, "i:1", null, 0, 0, TestEngine.CALM.commandTimeoutNanos()));
    }

    @Test
    void endIsMarkedWhileAnAcquireIsUnderWay() {
        underWay();

        ends.end(ticket);

        assertThat(store.nextEnd().command().markMillis()).isEqualTo(120_000);
    }

    @Test
    void endNamesTheRecordOnlyIfItMayBeInAQueue() {
        ticket.ask(Kind.MESSAGE, 0, time.nanoTime());
        ticket.seen(new Granted(7, false), time.nanoTime());
        ticket.answered(false);
        ends.end(ticket);
        assertThat(store.nextEnd().command().waiter()).as("granted at once").isNull();

        Ticket queued = ticket();
        Request waiter = queued.ask(Kind.MESSAGE, 0, time.nanoTime());
        queued.seen(new Busy(null, 6, ""), time.nanoTime());
        queued.answered(false);
        ends.end(queued);
        assertThat(store.nextEnd().command().waiter()).as("refused at first").isEqualTo(waiter);

        Ticket doubtful = ticket();
        Request unanswered = doubtful.ask(Kind.MESSAGE, 0, time.nanoTime());
        doubtful.failed(TestEngine.passing(), true);
        ends.end(doubtful);
        assertThat(store.nextEnd().command().waiter()).as("not answered").isEqualTo(unanswered);
    }

    @Test
    void endIsMarkedWhenAnAcquireWasNotAnswered() {
        underWay();
        ticket.failed(TestEngine.passing(), true);

        ends.end(ticket);

        assertThat(store.nextEnd().command().markMillis()).isEqualTo(120_000);
    }

    @Test
    void endIsNotRepeatedWhenTheConnectionWasLostWithoutAnAcquire() {
        ends.end(ticket);
        FakeLockStore.Sent<EndCommand, EndReply> end = store.nextEnd();
        store.loseConnection();
        end.answer(new EndReply(Role.HOLDER, List.of(), false, true));

        assertThat(ends.isSettled()).isTrue();
    }

    @Test
    void endIsRepeatedWhileItsAnswerIsIncomplete() {
        CompletableFuture<EndReply> answer = ends.end(ticket);
        store.nextEnd().answer(new EndReply(Role.HOLDER, List.of(), true, false));
        assertThat(TestEngine.get(answer).role()).isEqualTo(Role.HOLDER);
        store.nextEnd().answer(new EndReply(Role.NOTHING, List.of(), true, false));
        assertThat(ends.isSettled()).isFalse();
        store.nextEnd().answer(TestEngine.ended(Role.NOTHING));

        assertThat(ends.isSettled()).isTrue();
        assertThat(answer.join().role()).as("the first answer counts").isEqualTo(Role.HOLDER);
    }

    @Test
    void endOfAnUnknownRequestIsRetried() {
        ends.end(TestEngine.NAME, "i:99");
        store.nextEnd().fail(TestEngine.passing());

        FakeLockStore.Sent<EndCommand, EndReply> repeat = store.nextEnd();
        assertThat(repeat.command())
                .isEqualTo(new EndCommand(TestEngine.NAME, "i:99", null, 0, 0, TestEngine.CALM.commandTimeoutNanos()));
        repeat.answer(TestEngine.ended(Role.HOLDER));
        Awaitility.await().until(ends::isSettled);
        assertThat(registry.find("i:1")).isSameAs(ticket);
    }

    @Test
    void markOutlastsEveryLateCommandAndItsLease() {
        EngineSettings slow = new EngineSettings(Duration.ofSeconds(40).toNanos(), Duration.ofSeconds(1), 1, 0);

        assertThat(TestEngine.CALM.markMillis(Duration.ofSeconds(10).toNanos())).isEqualTo(60_000);
        assertThat(TestEngine.CALM.markMillis(Duration.ofMinutes(5).toNanos()))
                .as("the grant of a late acquire ends with its lease")
                .isEqualTo(300_000);
        assertThat(TestEngine.CALM.markMillis(Duration.ofDays(3650).toNanos()))
                .as("a command cannot be as late as the longest lease")
                .isEqualTo(20 * 60_000);
        assertThat(slow.markMillis(Duration.ofSeconds(10).toNanos())).isEqualTo(80_000);
    }

    @Test
    void grantInAnAnswerCountsFromTheAnsweredEnd() {
        ends.end(ticket);
        store.nextEnd().fail(TestEngine.passing());
        time.advance(Duration.ofNanos(7));
        FakeLockStore.Sent<EndCommand, EndReply> repeat = store.nextEnd();
        time.advance(Duration.ofNanos(2));
        repeat.answer(handsOver("i:2", 9));

        assertThat(inbox.handOvers).containsExactly("i:2 9 " + (ManualTime.START + 7));
    }

    @Test
    void grantAnnouncedByAMessageIsNotDeliveredByTheAnswer() {
        ends.end(ticket);
        store.nextEnd().answer(new EndReply(Role.HOLDER, List.of(), false, false, List.of("i:2")));

        assertThat(inbox.handOvers).isEmpty();
    }

    @Test
    void releaseCompletesAlthoughTheHandlingOfTheNextGrantFails() {
        EndDispatcher broken = ending(new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void listening() {
                throw new IllegalStateException("on purpose");
            }
        });
        try (LogCapture log = new LogCapture(EndDispatcher.class.getName())) {
            CompletableFuture<EndReply> answer = broken.end(ticket);
            store.nextEnd().answer(handsOver("i:2", 9));

            assertThat(TestEngine.get(answer).role()).isEqualTo(Role.HOLDER);
            assertThat(broken.isSettled()).isTrue();
            assertThat(registry.find("i:1")).isNull();
            assertThat(log.messages(Level.ERROR))
                    .containsExactly("Handling the answer to the end of lock 'server_access.42' failed");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NOTHING, true, true",
        "NOTHING, false, false",
        "HOLDER, true, false",
    })
    void waitersAskAtOnceIfAnAnswerWithAGrantMayBeLost(Role role, boolean repeated, boolean asks) {
        ends.end(ticket);
        store.nextEnd().answer(new EndReply(role, List.of(), false, repeated));
        assertThat(inbox.answersLost).isEqualTo(asks ? TestEngine.NAME : List.of());
    }

    @Test
    void waitersAskAtOnceIfTheFirstAnswerIsMissing() {
        ends.end(ticket);
        store.nextEnd().fail(TestEngine.passing());
        store.nextEnd().answer(new EndReply(Role.NOTHING, List.of(), false, false));
        assertThat(inbox.answersLost).isEqualTo(TestEngine.NAME);
    }

    @Test
    void missingAnswerToTheEndOfSeveralLocksMakesNoWaiterAsk() {
        ends.end(List.of(new LockName("", "a"), new LockName("", "b")), "x:1");
        store.nextEnd().answer(new EndReply(Role.NOTHING, List.of(), false, true));
        assertThat(inbox.answersLost).isEmpty();
    }

    private EndDispatcher ending(GrantInbox told) {
        EndDispatcher dispatcher = new EndDispatcher(store, TestEngine.CALM, executors, time, registry);
        dispatcher.reportTo(told);
        return dispatcher;
    }

    private static EndReply handsOver(String id, long token) {
        return new EndReply(Role.HOLDER, List.of(), false, false, List.of(id), OptionalLong.of(token));
    }

    /** Leaves an acquire sent and not yet answered. */
    private void underWay() {
        ticket.ask(Kind.MESSAGE, 0, time.nanoTime());
    }
}
