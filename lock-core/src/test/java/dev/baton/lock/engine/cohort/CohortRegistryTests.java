package dev.baton.lock.engine.cohort;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.passing;
import static dev.baton.lock.support.TestEngine.refusal;
import static dev.baton.lock.support.TestEngine.renewed;
import static dev.baton.lock.support.TestEngine.tries;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.DefaultLease;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the requests of one process for one lock share a ticket and pass the lock on, on a manual clock. */
class CohortRegistryTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_TIME = Duration.ofMillis(20);
    private static final int LIMIT = 2;

    private final TestEngine test = new TestEngine(TestEngine.cohort(LIMIT, MAX_TIME));
    private final FakeLockStore store = test.store;

    CohortRegistryTests() {
        store.reserving = true;
    }

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void laterRequestsSendNoCommand() {
        asks();
        String id = store.nextAcquire().command().requests().get(0).id();
        asks();
        test.settle();
        assertThat(store.acquires).isEmpty();
        assertThat(test.engine.openRequests()).isEqualTo(2);
        assertThat(test.engine.waiters()).isEqualTo(2);
        assertThat(id).startsWith(test.engine.instance());
    }

    @Test
    void ticketGrantedAtOnceHasNoReservedTokensAndIsNotPassedOn() {
        Acquisition first = grant(asks(), 101);
        PendingAcquisition second = asks();
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(first);
        Sent<ExchangeCommand, ExchangeReply> exchange = store.nextExchange();
        AcquireCommand.Request next = exchange.command().acquire().requests().get(0);
        assertThat(exchange.command().end().names()).isEqualTo(NAME);
        assertThat(exchange.command().end().id()).isEqualTo(first.ticket().id()).isNotEqualTo(next.id());
        assertThat(next.reserve()).isEqualTo(LIMIT);
        assertThat(next.patienceMillis()).as("as long as any member waits").isEqualTo(-1);
        assertThat(released).isNotDone();
        exchange.answer(new ExchangeReply(ended(Role.HOLDER), granted(200)));
        assertThat(get(released)).isTrue();
        assertThat(get(second.outcome()).lastGrant().token).isEqualTo(200);
        assertThat(get(second.outcome()).isContended()).isTrue();
        assertThat(store.acquires).isEmpty();
        assertThat(store.ends).isEmpty();
    }

    @Test
    void passCostsNoCommandAndHasATokenOfItsOwn() {
        List<Acquisition> holders = held(3);
        assertThat(holders)
                .extracting(acquisition -> acquisition.lastGrant().token)
                .containsExactly(200L, 201L, 202L);
        assertThat(holders).extracting(Acquisition::attempts).containsExactly(1, 0, 0);
        assertNothingSent();
        assertThat(test.engine.releaser().releaseAsync(holders.get(2))).isNotDone();
        assertThat(store.nextEnd().command().id())
                .isEqualTo(holders.get(0).ticket().id());
        assertThat(store.exchanges).isEmpty();
    }

    @Test
    void numberOfPassesIsLimited() {
        Acquisition last = held(3).get(2);
        PendingAcquisition next = asks();
        test.engine.releaser().releaseAsync(last);
        store.nextExchange().answer(new ExchangeReply(ended(Role.HOLDER), granted(300)));
        assertThat(get(next.outcome()).lastGrant().token).isEqualTo(300);
    }

    @Test
    void lockThatWasHeldForLongIsNotPassedOn() {
        Acquisition first = held(1).get(0);
        PendingAcquisition next = asks();
        test.time.advance(MAX_TIME);
        test.engine.releaser().releaseAsync(first);
        store.nextExchange().answer(new ExchangeReply(ended(Role.HOLDER), busy(300)));
        assertThat(next.outcome()).isNotDone();
    }

    @Test
    void nextHolderInheritsTheEndOfTheLease() {
        Acquisition first = held(1).get(0);
        PendingAcquisition next = asks();
        long end = first.lastGrant().end();
        test.time.advance(Duration.ofMillis(10));
        assertThat(get(test.engine.releaser().releaseAsync(first))).isTrue();
        Acquisition second = get(next.outcome());
        assertThat(second.lastGrant().end()).isEqualTo(end);
        DefaultLease lease = test.lease(second);
        test.time.advance(TestEngine.usable(LEASE).minusMillis(11));
        assertThat(lease.isHeld()).isTrue();
        test.time.advance(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThat(second.loss()).isDone();
    }

    @Test
    void memberThatHasGivenUpIsPassedOver() {
        Acquisition first = held(1).get(0);
        PendingAcquisition gone = asks();
        PendingAcquisition next = asks();
        gone.cancel();
        assertThat(gone.outcome()).isCancelled();
        assertThat(get(test.engine.releaser().releaseAsync(first))).isTrue();
        assertThat(get(next.outcome()).lastGrant().token).isEqualTo(201);
        assertNothingSent();
    }

    @Test
    void lastMemberThatGivesUpEndsTheTicket() {
        PendingAcquisition one = asks();
        PendingAcquisition other = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        asked.answer(busy(7));
        one.cancel();
        test.settle();
        assertThat(store.ends).isEmpty();
        other.cancel();
        Sent<EndCommand, EndReply> end = store.nextEnd();
        assertThat(end.command().id())
                .isEqualTo(asked.command().requests().get(0).id());
        assertThat(test.engine.openRequests()).isEqualTo(1);
        end.answer(ended(Role.WAITER));
        assertThat(test.engine.openRequests()).isZero();
        asks();
        assertThat(store.nextAcquire().command().requests().get(0).id())
                .isNotEqualTo(end.command().id());
    }

    @Test
    void grantWithoutAWaitingMemberIsGivenBack() {
        PendingAcquisition one = asks();
        String id = store.nextAcquire().command().requests().get(0).id();
        store.loseConnection();
        one.cancel();
        Sent<EndCommand, EndReply> end = store.nextEnd();
        assertThat(end.command()).matches(it -> it.id().equals(id) && it.markMillis() > 0);
        end.answer(ended(Role.NOTHING));
        test.engine.inbox().granted(NAME, id, 7);
        assertThat(store.nextEnd().command().id()).isEqualTo(id);
    }

    @Test
    void messageGrantsTheFirstWaitingMember() {
        PendingAcquisition one = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        asked.answer(busy(7));
        PendingAcquisition other = asks();
        one.cancel();
        test.engine.inbox().granted(NAME, asked.command().requests().get(0).id(), 8);
        assertThat(get(other.outcome()).lastGrant().token).isEqualTo(8);
        assertThat(get(other.outcome()).isContended()).isTrue();
    }

    @Test
    void lossNotifiesTheHolderAndRequestsANewTicketForTheWaiters() {
        Acquisition second = held(2).get(1);
        PendingAcquisition next = asks();
        test.engine.inbox().revoked(NAME, second.ticket().id(), 200);
        assertThat(second.loss()).isDone();
        assertThat(second.phase()).isInstanceOfSatisfying(Phase.Over.class, over -> {
            assertThat(over.why()).isEqualTo(Phase.Why.LOST);
            assertThat(over.reason()).isEqualTo(LossReasons.REVOKED);
        });
        AcquireCommand.Request asked = store.nextAcquire().command().requests().get(0);
        assertThat(asked.id()).isNotEqualTo(second.ticket().id());
        assertThat(next.outcome()).isNotDone();
        assertThat(get(test.engine.releaser().releaseAsync(second))).isFalse();
    }

    @Test
    void releaseOfATicketUnknownToTheStoreIsALoss() {
        Acquisition acquisition = held(1).get(0);
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(acquisition);
        store.nextEnd().answer(ended(Role.NOTHING));
        assertThat(get(released)).isFalse();
        assertThat(acquisition.loss()).isDone();
    }

    @Test
    void unansweredExchangeIsRetriedAsAnEndAndAnAcquire() {
        Acquisition first = grant(asks(), 101);
        asks();
        test.engine.releaser().releaseAsync(first);
        Sent<ExchangeCommand, ExchangeReply> exchange = store.nextExchange();
        exchange.fail(passing());
        assertThat(store.nextEnd().command().id()).isEqualTo(first.ticket().id());
        assertThat(store.nextAcquire().command().requests())
                .isEqualTo(exchange.command().acquire().requests());
    }

    @Test
    void ticketOfAnUnansweredExchangeEndsWithAMark() {
        Acquisition first = grant(asks(), 101);
        PendingAcquisition next = asks();
        test.engine.releaser().releaseAsync(first);
        Sent<ExchangeCommand, ExchangeReply> exchange = store.nextExchange();
        assertThat(exchange.command().end().markMillis())
                .as("all of its acquires were answered")
                .isZero();
        exchange.fail(passing());
        store.nextEnd().answer(ended(Role.HOLDER));
        next.cancel();
        EndCommand end = store.nextEnd().command();
        assertThat(end.id())
                .isEqualTo(exchange.command().acquire().requests().get(0).id());
        assertThat(end.markMillis()).isPositive();
    }

    @Test
    void refusalReachesAllMembers() {
        PendingAcquisition one = asks();
        PendingAcquisition other = asks();
        store.nextAcquire().fail(refusal());
        for (PendingAcquisition pending : List.of(one, other)) {
            assertThatThrownBy(() -> get(pending.outcome()))
                    .hasCauseInstanceOf(LockStoreException.class)
                    .hasMessageContaining("NOPERM");
        }
        assertThat(test.engine.waiters()).isZero();
    }

    @Test
    void refusalOfALateAcquireDoesNotFailTheMembers() {
        PendingAcquisition one = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        PendingAcquisition other = asks();
        String id = asked.command().requests().get(0).id();
        test.engine.inbox().granted(NAME, id, 8);
        Acquisition first = get(one.outcome());

        asked.fail(refusal());

        assertThat(other.outcome()).isNotDone();
        test.engine.inbox().revoked(NAME, id, 8);
        assertThat(first.loss()).isDone();
        assertThat(store.nextAcquire().command().requests().get(0).id()).isNotEqualTo(id);
    }

    @Test
    void answerToAnEarlierHolderIsALossOfTheCurrentHolderOnly() {
        Acquisition first = held(1).get(0);
        CompletableFuture<Boolean> question = test.engine
                .keeper()
                .ask(first, first.lastGrant(), Duration.ofSeconds(1).toNanos());
        PendingAcquisition next = asks();
        assertThat(get(test.engine.releaser().releaseAsync(first))).isTrue();
        Acquisition second = get(next.outcome());

        store.nextRenewal().answer(List.of(NAME));

        assertThat(get(question)).isFalse();
        assertThat(second.loss()).isDone();
        assertThat(first.loss()).isNotDone();
        assertThat(first.isLost()).isFalse();
    }

    @Test
    void tryDuringAHoldIsBusyAndNamesTheCurrentHolder() {
        held(2);
        assertThatThrownBy(() -> test.engine.acquire(tries(LEASE)))
                .isInstanceOfSatisfying(
                        LockTimeoutException.class,
                        ex -> assertThat(ex.holder())
                                .hasValueSatisfying(holder ->
                                        assertThat(holder.fencingToken()).isEqualTo(201)));
        assertNothingSent();
        assertThat(test.engine.openRequests()).isEqualTo(1);
    }

    @Test
    void tryDuringAnUnansweredAcquireSendsAnAcquireOfItsOwn() {
        asks();
        store.nextAcquire();
        test.engine.acquireAsync(tries(LEASE), acquisition -> {});
        assertThat(store.nextAcquire().command().requests().get(0).kind()).isEqualTo(AcquireCommand.Kind.TRY);
    }

    @Test
    void holderKnownToTheStoreIsReportedAsTheCurrentMember() {
        Acquisition second = held(2).get(1);
        assertThat(test.engine.holder(NAME.get(0), known(200)).fencingToken()).isEqualTo(second.lastGrant().token);
        assertThat(test.engine.holder(NAME.get(0), known(199)).fencingToken()).isEqualTo(199);
    }

    @Test
    void requestWithAnotherLeaseSendsAnAcquireOfItsOwn() {
        held(1);
        test.engine.acquireAsync(waits(Duration.ofSeconds(10)), acquisition -> {});
        assertThat(store.nextAcquire().command().requests().get(0).leaseMillis())
                .isEqualTo(10_000);
        test.engine.acquireAsync(renewed(LEASE), acquisition -> {});
        assertThat(store.nextAcquire().command().requests().get(0).reserve()).isZero();
    }

    @Test
    void extendedLeaseIsNotPassedOn() {
        Acquisition first = held(1).get(0);
        PendingAcquisition next = asks();
        CompletableFuture<Boolean> renewal =
                CompletableFuture.supplyAsync(() -> test.lease(first).renew(Duration.ofMinutes(5)));
        Sent<RenewCommand, List<List<LockName>>> sent = store.nextRenewal();
        assertThat(sent.command().renewals().get(0).id())
                .isEqualTo(first.ticket().id());
        assertThat(sent.command().renewals().get(0).leaseMillis()).isEqualTo(300_000);
        sent.answer(List.of(List.of()));
        assertThat(get(renewal)).isTrue();
        test.engine.releaser().releaseAsync(first);
        store.nextExchange().answer(new ExchangeReply(ended(Role.HOLDER), granted(300)));
        assertThat(get(next.outcome()).leaseNanos()).isEqualTo(LEASE.toNanos());
    }

    @Test
    void keptLockIsNotPassedOn() {
        Acquisition first = held(1).get(0);
        asks();
        first.lastGrant()
                .keepUntil(test.time.nanoTime() + Duration.ofMillis(300).toNanos());
        test.engine.releaser().releaseAsync(first);
        assertThat(store.nextEnd().command())
                .matches(end -> end.keepMillis() == 300
                        && end.id().equals(first.ticket().id()));
        assertThat(store.nextAcquire().command().requests().get(0).reserve()).isEqualTo(LIMIT);
    }

    @Test
    void lateMessageForAnEndedTicketLeadsToAnotherEnd() {
        List<Acquisition> holders = held(1);
        String id = holders.get(0).ticket().id();
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(holders.get(0));
        store.nextEnd().answer(ended(Role.HOLDER));
        assertThat(get(released)).isTrue();
        test.engine.inbox().granted(NAME, id, 200);
        assertThat(store.nextEnd().command().id()).isEqualTo(id);
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

    private void assertNothingSent() {
        test.settle();
        assertThat(store.acquires).isEmpty();
        assertThat(store.exchanges).isEmpty();
        assertThat(store.ends).isEmpty();
    }

    /** A holder as the store reports it. */
    private static LockHolder known(long token) {
        return new LockHolder("web-1:1/main", "j:t1", token, Duration.ZERO, LEASE);
    }
}
