package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.grantedBefore;
import static dev.baton.lock.support.TestEngine.passing;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a process passes a lock on only with tokens that the store has reserved. */
class CohortTokensTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_TIME = Duration.ofMillis(20);
    /** The lease of another holder, after which the waiters ask again. */
    private static final Duration SOON = Duration.ofMillis(10);

    private static final int LIMIT = 2;

    private final TestEngine test = new TestEngine(TestEngine.cohort(LIMIT, MAX_TIME));
    private final FakeLockStore store = test.store;

    CohortTokensTests() {
        store.reserving = true;
    }

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void ticketThatHadToWaitIsPassedOn() {
        PendingAcquisition first = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        AcquireCommand.Request request = asked.command().requests().get(0);
        assertThat(request.reserve()).isEqualTo(LIMIT);
        asked.answer(busy(150));
        PendingAcquisition second = asks();
        test.engine.inbox().granted(NAME, request.id(), 200);
        assertThat(get(test.engine.releaser().releaseAsync(get(first.outcome()))))
                .isTrue();
        assertThat(get(second.outcome()).lastGrant().token).isEqualTo(201);
        assertNothingSent();
    }

    @Test
    void ticketGrantedByAMessageBeforeItsAnswerIsPassedOn() {
        PendingAcquisition first = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        PendingAcquisition second = asks();
        test.engine.inbox().granted(NAME, asked.command().requests().get(0).id(), 200);
        asked.answer(busy(150));
        assertThat(get(test.engine.releaser().releaseAsync(get(first.outcome()))))
                .isTrue();
        assertThat(get(second.outcome()).lastGrant().token).isEqualTo(201);
    }

    @Test
    void waitingTicketGrantedByARecheckIsPassedOn() {
        PendingAcquisition first = asks();
        store.nextAcquire().answer(busy(150, SOON));
        PendingAcquisition second = asks();
        store.nextAcquire().answer(grantedBefore(200));
        assertThat(get(test.engine.releaser().releaseAsync(get(first.outcome()))))
                .isTrue();
        assertThat(get(second.outcome()).lastGrant().token).isEqualTo(201);
        assertNothingSent();
    }

    /** The ticket was granted at once, or tokens were too far ahead of the clock to reserve any. */
    @Test
    void ticketWithAnOddTokenIsNotPassedOn() {
        assertIsExchanged(askAndAnswer(granted(201)));
        assertIsExchanged(askAndAnswer(grantedBefore(203)));
        PendingAcquisition told = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        asked.answer(busy(203));
        test.engine.inbox().granted(NAME, asked.command().requests().get(0).id(), 205);
        assertIsExchanged(told);
    }

    /** The missing answer shows nothing; the token shows that tokens are reserved. */
    @Test
    void ticketGrantedAfterAnUnansweredAcquireIsPassedOn() {
        PendingAcquisition first = asks();
        store.nextAcquire().fail(passing());
        PendingAcquisition second = asks();
        store.nextAcquire().answer(grantedBefore(200));
        test.engine.releaser().releaseAsync(get(first.outcome()));
        assertThat(get(second.outcome()).lastGrant().token).isEqualTo(201);
        assertNothingSent();
    }

    @Test
    void ticketGrantedByALateAnswerIsPassedOnIfItsTokenIsEven() {
        PendingAcquisition first = asks();
        store.nextAcquire().answer(busy(150, SOON));
        PendingAcquisition second = asks();
        Sent<AcquireCommand, AcquireReply> late = store.nextAcquire();
        test.time.advance(LEASE);
        late.answer(granted(200));
        // the waiter asks at once, and again at its recheck
        store.nextAcquire().answer(busy(150));
        store.nextAcquire().answer(grantedBefore(200));
        test.engine.releaser().releaseAsync(get(first.outcome()));
        assertThat(get(second.outcome()).lastGrant().token).isEqualTo(201);
    }

    /** Releases the lock while a member waits, which gets the lock from the store. */
    private void assertIsExchanged(PendingAcquisition first) {
        Acquisition holder = get(first.outcome());
        PendingAcquisition second = asks();
        test.engine.releaser().releaseAsync(holder);
        Sent<ExchangeCommand, ExchangeReply> exchange = store.nextExchange();
        assertThat(exchange.command().end().id()).isEqualTo(holder.ticket().id());
        exchange.answer(new ExchangeReply(
                new EndReply(EndReply.Role.HOLDER, List.of(), false, false), granted(holder.lastGrant().token + 2)));
        test.engine.releaser().releaseAsync(get(second.outcome()));
        store.nextEnd().answer(new EndReply(EndReply.Role.HOLDER, List.of(), false, false));
    }

    /** Starts an acquisition in this thread, which does not wait. */
    private PendingAcquisition asks() {
        return test.engine.acquireAsync(waits(LEASE), acquisition -> {});
    }

    private PendingAcquisition askAndAnswer(AcquireReply reply) {
        PendingAcquisition pending = asks();
        store.nextAcquire().answer(reply);
        return pending;
    }

    private void assertNothingSent() {
        test.settle();
        assertThat(store.acquires).isEmpty();
        assertThat(store.exchanges).isEmpty();
        assertThat(store.ends).isEmpty();
    }
}
