package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.spec;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.event.ListenerNotifier;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.event.RequestLog;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the members of a cohort, which share a ticket, get the same events and answers as with tickets of their
 * own.
 */
class CohortNewsTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final int LIMIT = 2;

    private final TestEngine test = new TestEngine(TestEngine.cohort(LIMIT, Duration.ofMillis(20)));
    private final FakeLockStore store = test.store;

    CohortNewsTests() {
        store.reserving = true;
    }

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void passIsALocalHandOver() {
        List<Acquisition> holders = held(2);
        assertThat(holders.get(0).handOvers()).containsExactly(LockListener.HandOver.LOCAL);
    }

    @Test
    void handOverOfAnExchangeIsThatOfTheStore() {
        Acquisition first = grant(asks(), 101);
        asks();
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(first);
        EndReply end = new EndReply(Role.HOLDER, List.of(), false, false, List.of("other:7"));
        store.nextExchange().answer(new ExchangeReply(end, busy(300)));
        assertThat(get(released)).isTrue();
        assertThat(first.handOvers()).containsExactly(LockListener.HandOver.REMOTE);
    }

    /** The members share the command, which may be answered in a moment. */
    @Test
    void memberWhoseShortWaitEndsBeforeTheAnswerTimesOut() {
        PendingAcquisition pending =
                test.engine.acquireAsync(spec(LEASE, false, Duration.ofMillis(50), false), acquisition -> {});
        store.nextAcquire();
        test.time.advance(Duration.ofMillis(50));
        assertThatThrownBy(() -> get(pending.outcome())).hasCauseInstanceOf(LockTimeoutException.class);
    }

    @Test
    void memberFailsIfTheStoreDoesNotAnswer() {
        PendingAcquisition pending =
                test.engine.acquireAsync(spec(LEASE, false, Duration.ofSeconds(1), false), acquisition -> {});
        store.nextAcquire();
        // before the timer fires, which runs in real time
        test.time.advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> get(pending.outcome())).hasCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void memberHasWaitedForThePreviousMember() {
        Acquisition alone = grant(asks(), 101);
        assertThat(alone.waitedFor()).isNull();
        PendingAcquisition next = asks();
        test.engine.releaser().releaseAsync(alone);
        store.nextExchange().answer(new ExchangeReply(ended(Role.HOLDER), granted(200)));
        Acquisition second = get(next.outcome());
        assertThat(second.waitedFor()).extracting(LockHolder::fencingToken).isEqualTo(101L);
        PendingAcquisition last = asks();
        test.engine.releaser().releaseAsync(second);
        assertThat(get(last.outcome()).waitedFor())
                .extracting(LockHolder::fencingToken)
                .isEqualTo(200L);
    }

    @Test
    void memberHasWaitedForTheHolderInAnotherProcess() {
        Acquisition first = grant(asks(), 101);
        PendingAcquisition next = asks();
        test.engine.releaser().releaseAsync(first);
        Sent<ExchangeCommand, ExchangeReply> exchange = store.nextExchange();
        exchange.answer(new ExchangeReply(ended(Role.HOLDER), busy(150)));
        String block = exchange.command().acquire().requests().get(0).id();
        test.engine.inbox().granted(NAME, block, 200);
        assertThat(get(next.outcome()).waitedFor())
                .extracting(LockHolder::fencingToken)
                .isEqualTo(150L);
    }

    @Test
    void memberThatArrivedAfterAReleaseHasNotWaitedForTheReleasingMember() {
        Acquisition first = grant(asks(), 101);
        PendingAcquisition gone = asks();
        test.engine.releaser().releaseAsync(first);
        PendingAcquisition next = asks();
        gone.cancel();
        store.nextExchange().answer(new ExchangeReply(ended(Role.HOLDER), granted(200)));
        assertThat(get(next.outcome()).waitedFor()).isNull();
    }

    @Test
    void memberVerifiesItsLeaseByTheSharedTicketWhichIsStillPassedOn() {
        Acquisition second = held(2).get(1);
        PendingAcquisition next = asks();
        CompletableFuture<?> verified = test.lease(second).verifyAsync();
        Sent<RenewCommand, List<List<LockName>>> sent = store.nextRenewal();
        assertThat(sent.command().renewals())
                .containsExactly(new RenewCommand.Renewal(NAME, second.ticket().id(), 0));
        sent.answer(List.of(List.of()));
        assertThat(verified).succeedsWithin(BOUND);
        assertThat(get(test.engine.releaser().releaseAsync(second))).isTrue();
        assertThat(get(next.outcome()).lastGrant().token).isEqualTo(202);
        test.settle();
        assertThat(store.exchanges).isEmpty();
        assertThat(store.ends).isEmpty();
    }

    @Test
    void memberLosesTheLockIfTheSharedTicketIsGone() {
        Acquisition second = held(2).get(1);
        CompletableFuture<?> verified = test.lease(second).verifyAsync();
        store.nextRenewal().answer(List.of(NAME));
        assertThat(verified)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockLostException.class);
        assertThat(second.loss()).isDone();
    }

    @Test
    void recheckIsAnnouncedForTheWaitingMembers() throws InterruptedException {
        BlockingQueue<LockListener.Rechecked> rechecks = new LinkedBlockingQueue<>();
        ListenerNotifier notifier = new ListenerNotifier(
                List.of(new LockListener() {
                    @Override
                    public void rechecked(Rechecked event) {
                        rechecks.add(event);
                    }
                }),
                null,
                RequestLog.SILENT);
        List<PendingAcquisition> waiting = new ArrayList<>();
        for (long id = 1; id <= 3; id++) {
            LockListener.Request request = new LockListener.Request(id, "", List.of("x.1"), "x", "i:t7", "web-3");
            RequestEvents events = new RequestEvents(notifier, test.time, () -> request);
            events.asked();
            waiting.add(test.engine.acquireAsync(TestEngine.announced(LEASE, events), acquisition -> {}));
        }
        store.nextAcquire().answer(busy(300));
        waiting.get(0).cancel();
        test.engine.inbox().listening();
        store.nextAcquire();
        LockListener.Rechecked told = rechecks.poll(5, TimeUnit.SECONDS);
        assertThat(told).isNotNull();
        assertThat(told.request().id()).isEqualTo(2);
        assertThat(told.requests()).isEqualTo(2);
    }

    @Test
    void stopWaitsForAnExchangeAndForItsNewTicket() {
        Acquisition first = grant(asks(), 101);
        asks();
        test.engine.releaser().releaseAsync(first);
        Sent<ExchangeCommand, ExchangeReply> exchange = store.nextExchange();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(test.engine::stop);
        exchange.answer(new ExchangeReply(ended(Role.HOLDER), busy(300)));
        Sent<EndCommand, EndReply> end = store.nextEnd();
        assertThat(end.command().id())
                .isEqualTo(exchange.command().acquire().requests().get(0).id());
        assertThat(stopped).isNotDone();
        end.answer(ended(Role.WAITER));
        assertThat(stopped).succeedsWithin(BOUND);
    }

    /** Starts an acquisition in this thread, which does not wait. */
    private PendingAcquisition asks() {
        return test.engine.acquireAsync(waits(LEASE), acquisition -> {});
    }

    private Acquisition grant(PendingAcquisition pending, long token) {
        store.nextAcquire().answer(granted(token));
        return get(pending.outcome());
    }

    /**
     * Passes a ticket with tokens from 200 on among {@code count} members. Returns all; the last still holds the lock.
     */
    private List<Acquisition> held(int count) {
        Acquisition first = grant(asks(), 101);
        List<PendingAcquisition> waiting =
                Stream.generate(this::asks).limit(count).toList();
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(first);
        store.nextExchange().answer(new ExchangeReply(ended(Role.HOLDER), granted(200)));
        assertThat(get(released)).isTrue();
        for (int i = 0; i < count - 1; i++) {
            assertThat(waiting.get(i + 1).outcome()).isNotDone();
            assertThat(get(test.engine
                            .releaser()
                            .releaseAsync(get(waiting.get(i).outcome()))))
                    .isTrue();
        }
        return waiting.stream().map(pending -> get(pending.outcome())).toList();
    }
}
