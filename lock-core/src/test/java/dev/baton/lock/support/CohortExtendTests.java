package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.grantedBefore;
import static dev.baton.lock.support.TestEngine.passing;
import static dev.baton.lock.support.TestEngine.tries;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a process without competitors passes a lock on beyond the bounds of one grant, if the store agrees in
 * time.
 */
class CohortExtendTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_TIME = Duration.ofMillis(20);
    private static final Duration HALF_TIME = Duration.ofMillis(10);
    private static final long USABLE = TestEngine.usable(LEASE).toNanos();
    private static final int LIMIT = 4;

    private final TestEngine test = new TestEngine(TestEngine.cohort(LIMIT, MAX_TIME));
    private final FakeLockStore store = test.store;

    CohortExtendTests() {
        store.reserving = true;
    }

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void extensionIsRequestedAfterHalfOfThePasses() {
        Acquisition second = pass(held());
        assertThat(store.extensions).isEmpty();
        Acquisition third = pass(second);
        assertThat(store.nextExtending().command())
                .isEqualTo(new ExtendCommand(
                        NAME.get(0),
                        third.ticket().id(),
                        LEASE.toMillis(),
                        LIMIT,
                        TestEngine.CALM.commandTimeoutNanos()));
        pass(third);
        assertThat(store.extensions).as("before the store has answered").isEmpty();
    }

    @Test
    void extendedTicketIsPassedOnBeyondTheLimitWithReservedTokens() {
        Acquisition holder = held();
        String block = holder.ticket().id();
        List<Long> tokens = new ArrayList<>();
        for (long next = 1_000; next <= 4_000; next += 1_000) {
            for (int i = 0; i < 2; i++) {
                holder = pass(holder);
                tokens.add(holder.lastGrant().token);
            }
            store.nextExtending().answer(extended(next));
        }
        assertThat(tokens).containsExactly(201L, 202L, 1_001L, 1_002L, 2_001L, 2_002L, 3_001L, 3_002L);
        assertThat(holder.ticket().id()).isEqualTo(block);
        assertNothingElseSent();
    }

    @Test
    void passesDuringAnExtensionCount() {
        Acquisition holder = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        holder = pass(holder);
        assertThat(holder.lastGrant().token).isEqualTo(203);
        asked.answer(extended(1_000));
        assertThat(holder.lastGrant().token)
                .as("the token of the current holder")
                .isEqualTo(203);
        for (long token = 1_002; token <= 1_004; token++) {
            holder = pass(holder);
            assertThat(holder.lastGrant().token).isEqualTo(token);
        }
        exchange(holder, 2_000);
    }

    @Test
    void extensionRestartsTheTimeFromItsRequest() {
        Acquisition holder = held();
        test.time.advance(HALF_TIME);
        holder = pass(holder);
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        test.time.advance(HALF_TIME.minusNanos(1));
        asked.answer(extended(1_000));
        test.time.advance(HALF_TIME);
        holder = pass(holder);
        assertThat(holder.lastGrant().token).isEqualTo(1_001);
        test.time.advance(Duration.ofNanos(1));
        exchange(holder, 2_000);
    }

    @Test
    void extensionIsRequestedAtHalfTheTimeAndTheLockIsExchangedWithoutAnAnswer() {
        Acquisition holder = held();
        test.time.advance(HALF_TIME);
        holder = pass(holder);
        store.nextExtending();
        test.time.advance(HALF_TIME);
        exchange(holder, 2_000);
    }

    @Test
    void ticketWithAnUnansweredExtensionIsExchangedAtTheBound() {
        Acquisition holder = pass(pass(held()));
        store.nextExtending();
        assertExchangedAtTheBound(holder);
    }

    @Test
    void ticketThatOtherProcessesWaitForIsExchangedAtTheBound() {
        Acquisition holder = pass(pass(held()));
        store.nextExtending().answer(ExtendReply.WANTED);
        assertExchangedAtTheBound(holder);
    }

    @Test
    void ticketWithAFailedExtensionIsExchangedAtTheBound() {
        Acquisition holder = pass(pass(held()));
        store.nextExtending().fail(passing());
        assertThat(holder.loss()).isNotDone();
        assertExchangedAtTheBound(holder);
    }

    /** No second extension of this ticket is requested; the next ticket is extended again. */
    private void assertExchangedAtTheBound(Acquisition holder) {
        Acquisition last = pass(pass(holder));
        assertThat(last.lastGrant().token).isEqualTo(204);
        assertThat(store.extensions).isEmpty();
        Acquisition next = exchange(last, 2_000);
        pass(pass(next));
        assertThat(store.nextExtending().command().id()).isEqualTo(next.ticket().id());
    }

    @Test
    void extensionAfterTheExchangeChangesNothing() {
        Acquisition last = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        Acquisition holder = exchange(pass(pass(last)), 2_000);
        long end = holder.lastGrant().end();
        test.time.advance(Duration.ofMillis(1));
        asked.answer(extended(1_000));
        assertThat(holder.lastGrant().end()).isEqualTo(end);
        assertThat(pass(holder).lastGrant().token).isEqualTo(2_001);
    }

    /** A client that keeps no order may send the extension after the end. */
    @Test
    void unknownTicketIsNoLossAfterTheExchange() {
        Acquisition last = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        last = pass(pass(last));
        Acquisition holder = exchange(last, 2_000);
        asked.answer(notHeld());
        assertThat(last.loss()).isNotDone();
        assertThat(holder.loss()).isNotDone();
        assertThat(pass(holder).lastGrant().token).isEqualTo(2_001);
        assertNothingElseSent();
    }

    @Test
    void unknownTicketIsNoLossAfterItsEnd() {
        Acquisition last = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(last);
        store.nextEnd().answer(ended(Role.HOLDER));
        asked.answer(notHeld());
        assertThat(get(released)).isTrue();
        assertThat(last.loss()).isNotDone();
        assertThat(test.engine.openRequests()).isZero();
        assertNothingElseSent();
    }

    @Test
    void ticketThatHadToWaitIsNotExtended() {
        PendingAcquisition first = asks();
        store.nextAcquire().answer(busy(150, Duration.ofMillis(10)));
        store.nextAcquire().answer(grantedBefore(200));
        assertNotExtended(get(first.outcome()));
    }

    @Test
    void ticketGrantedByAMessageIsNotExtended() {
        PendingAcquisition first = asks();
        String id = store.nextAcquire().command().requests().get(0).id();
        test.engine.inbox().granted(NAME, id, 200);
        assertNotExtended(get(first.outcome()));
    }

    @Test
    void ticketGrantedByTheAnswerToAnotherEndIsNotExtended() {
        Acquisition other = test.hold(tries(LEASE), 100);
        PendingAcquisition first = asks();
        String id = store.nextAcquire().command().requests().get(0).id();
        test.engine.releaser().releaseAsync(other);
        EndReply answer = new EndReply(Role.HOLDER, List.of(), false, false, List.of(id), OptionalLong.of(200));
        store.nextEnd().answer(answer);
        assertNotExtended(get(first.outcome()));
    }

    private void assertNotExtended(Acquisition holder) {
        Acquisition last = pass(pass(pass(pass(holder))));
        assertThat(last.lastGrant().token).isEqualTo(204);
        assertThat(store.extensions).isEmpty();
        exchange(last, 2_000);
    }

    @Test
    void extensionAfterALossChangesNothing() {
        Acquisition lost = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        PendingAcquisition next = asks();
        test.engine.inbox().revoked(NAME, lost.ticket().id(), 200);
        assertThat(lost.loss()).isDone();
        Acquisition holder = grant(next, 901);
        asked.answer(extended(1_000));
        exchange(holder, 2_000);
    }

    @Test
    void unknownTicketIsLostAndANewOneIsRequested() {
        Acquisition holder = pass(pass(held()));
        PendingAcquisition next = asks();
        store.nextExtending().answer(notHeld());
        assertThat(holder.loss()).isDone();
        assertThat(holder.phase()).isInstanceOfSatisfying(Phase.Over.class, over -> {
            assertThat(over.why()).isEqualTo(Phase.Why.LOST);
            assertThat(over.reason()).isEqualTo(LossReasons.UNKNOWN);
        });
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        assertThat(asked.command().requests().get(0).id())
                .isNotEqualTo(holder.ticket().id());
        assertThat(next.outcome()).isNotDone();
        asked.answer(granted(2_000));
        assertThat(get(next.outcome()).lastGrant().token).isEqualTo(2_000);
        assertThat(get(test.engine.releaser().releaseAsync(holder))).isFalse();
    }

    @Test
    void anyAnswerAfterTheLeaseIsALoss() {
        Acquisition holder = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        test.time.advance(TestEngine.usable(LEASE));
        asked.answer(extended(1_000));
        assertThat(holder.loss()).isDone();
        assertThat(get(test.engine.releaser().releaseAsync(holder))).isFalse();
    }

    @Test
    void ticketIsExtendedAtMost31Times() {
        Acquisition holder = held();
        for (int i = 1; i <= 31; i++) {
            holder = pass(pass(holder));
            store.nextExtending().answer(extended(1_000L * i));
        }
        for (int i = 0; i < LIMIT; i++) {
            holder = pass(holder);
        }
        assertThat(holder.lastGrant().token).isEqualTo(31_000 + LIMIT);
        assertThat(store.extensions).isEmpty();
        exchange(holder, 99_000);
    }

    @Test
    void extendedLeaseLastsFromItsRequestAndTheNextHolderInheritsItsEnd() {
        Acquisition first = held();
        test.time.advance(Duration.ofMillis(3));
        Acquisition second = pass(first);
        test.time.advance(Duration.ofMillis(4));
        Acquisition third = pass(second);
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        assertThat(third.lastGrant().end() - ManualTime.START).isEqualTo(USABLE);
        test.time.advance(Duration.ofMillis(2));
        asked.answer(extended(1_000));
        long end = Duration.ofMillis(7).toNanos() + USABLE;
        assertThat(third.lastGrant().end() - ManualTime.START)
                .as("at most the length of the lease after the pass")
                .isEqualTo(end);
        Acquisition fourth = pass(third);
        assertThat(fourth.lastGrant().end() - ManualTime.START).isEqualTo(end);
        assertThat(test.lease(fourth).isHeld()).isTrue();
        test.time.advance(TestEngine.usable(LEASE).minusMillis(2));
        assertThat(test.lease(fourth).isHeld()).isFalse();
    }

    @Test
    void leaseExtendedByItsHolderMeanwhileIsNeitherPassedOnNorShortened() {
        Acquisition holder = pass(pass(held()));
        Sent<ExtendCommand, ExtendReply> asked = store.nextExtending();
        CompletableFuture<Boolean> renewal =
                CompletableFuture.supplyAsync(() -> test.lease(holder).renew(Duration.ofMinutes(5)));
        store.nextRenewal().answer(List.of(List.of()));
        assertThat(get(renewal)).isTrue();
        long end = holder.lastGrant().end();
        asked.answer(extended(1_000));
        assertThat(holder.lastGrant().end()).isEqualTo(end);
        exchange(holder, 2_000);
    }

    @Test
    void leaseExtendedByItsHolderIsNotExtendedForPasses() {
        Acquisition holder = pass(held());
        CompletableFuture<Boolean> renewal =
                CompletableFuture.supplyAsync(() -> test.lease(holder).renew(Duration.ofMinutes(5)));
        store.nextRenewal().answer(List.of(List.of()));
        assertThat(get(renewal)).isTrue();
        exchange(holder, 2_000);
        assertThat(store.extensions).isEmpty();
    }

    @Test
    void keptLockIsNotExtended() {
        Acquisition holder = pass(held());
        asks();
        holder.lastGrant()
                .keepUntil(test.time.nanoTime() + Duration.ofMillis(300).toNanos());
        test.engine.releaser().releaseAsync(holder);
        assertThat(store.nextEnd().command().keepMillis()).isEqualTo(300);
        assertThat(store.extensions).isEmpty();
    }

    @Test
    void ticketIsNotExtendedBeyondHalfOfMaxHold() {
        Ticket shared = held().ticket();
        long later = test.time.nanoTime() + TestEngine.CALM.maxHoldNanos() / 2 - 100;
        test.engine.leases().renewer().extend(shared, shared.lastGrant(), LIMIT, 100, later);
        assertThat(store.extensions).isEmpty();
    }

    private static ExtendReply extended(long token) {
        return new ExtendReply(true, OptionalLong.of(token));
    }

    private static ExtendReply notHeld() {
        return new ExtendReply(false, OptionalLong.empty());
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
     * Returns the first holder of a ticket that found no competitor, with token 200 and the limit of tokens after it.
     */
    private Acquisition held() {
        return exchange(grant(asks(), 101), 200);
    }

    /** Releases the lock while a member waits, which gets the lock without a command. */
    private Acquisition pass(Acquisition holder) {
        PendingAcquisition next = asks();
        assertThat(get(test.engine.releaser().releaseAsync(holder))).isTrue();
        assertThat(store.exchanges).isEmpty();
        return get(next.outcome());
    }

    /** Releases the lock while a member waits, which gets the lock by an exchange that finds no competitor. */
    private Acquisition exchange(Acquisition holder, long token) {
        PendingAcquisition next = asks();
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(holder);
        Sent<ExchangeCommand, ExchangeReply> sent = store.nextExchange();
        assertThat(sent.command().end().id()).isEqualTo(holder.ticket().id());
        sent.answer(new ExchangeReply(ended(Role.HOLDER), granted(token)));
        assertThat(get(released)).isTrue();
        return get(next.outcome());
    }

    private void assertNothingElseSent() {
        test.settle();
        assertThat(store.acquires).isEmpty();
        assertThat(store.exchanges).isEmpty();
        assertThat(store.ends).isEmpty();
        assertThat(store.extensions).isEmpty();
    }
}
