package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.grantedBefore;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockListener;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests grants that a waiter gets by the answer to a release in the same process. */
class GrantByAnswerTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long USABLE = TestEngine.usable(LEASE).toNanos();

    private final TestEngine test = new TestEngine();
    private final FakeLockStore store = test.store;
    private final List<Acquisition> begun = new ArrayList<>();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void grantCountsFromTheSendingOfTheEnd() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(7));
        test.time.advance(SECOND);
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(holder);
        Sent<EndCommand, EndReply> end = store.nextEnd();
        test.time.advance(SECOND);
        end.answer(handsOver(id, 8));

        Grant grant = get(waiter.outcome()).lastGrant();
        assertThat(grant.token).isEqualTo(8);
        assertThat(grant.end() - ManualTime.START).isEqualTo(SECOND.toNanos() + USABLE);
        assertThat(grant.grantedAt - ManualTime.START)
                .isEqualTo(SECOND.multipliedBy(2).toNanos());
        assertThat(get(released)).isTrue();
        assertThat(holder.handOvers()).containsExactly(LockListener.HandOver.LOCAL);
        assertNothingSent();
    }

    @Test
    void waiterIsGrantedBeforeItsAcquireIsAnswered() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        test.time.advance(SECOND);
        release(holder).answer(handsOver(id(asked), 8));

        assertThat(get(waiter.outcome()).lastGrant().end() - ManualTime.START).isEqualTo(SECOND.toNanos() + USABLE);
        asked.answer(busy(7));
        assertThat(get(waiter.outcome()).grant())
                .as("the waiter still holds the lock")
                .isNotNull();
        assertNothingSent();
    }

    @Test
    void grantIsTheSameIfARecheckFindsItFirst() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(7));
        Sent<EndCommand, EndReply> end = release(holder);
        test.engine.inbox().listening();
        store.nextAcquire().answer(grantedBefore(8));
        Acquisition granted = get(waiter.outcome());
        end.answer(handsOver(id, 8));

        assertThat(granted.loss()).isNotDone();
        assertThat(granted.grant()).isNotNull();
        assertNothingSent();
    }

    /** The end of the waiter was sent after the release, and may have run before the grant. */
    @Test
    void ticketOfAWaiterThatHasGivenUpIsEnded() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        asks();
        String id = answer(busy(7));
        Sent<EndCommand, EndReply> end = release(holder);
        begun.get(0).giveUp(test.time.nanoTime());
        end.answer(handsOver(id, 8));

        assertThat(store.nextEnd().command().id()).isEqualTo(id);
        assertThat(begun.get(0).wasGranted()).isFalse();
    }

    @Test
    void endedTicketIsEndedAgain() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(7));
        Sent<EndCommand, EndReply> end = release(holder);
        waiter.cancel();
        store.nextEnd().answer(ended(Role.NOTHING));
        assertThat(test.engine.openRequests()).as("the release is pending").isEqualTo(1);
        end.answer(handsOver(id, 8));

        EndCommand again = store.nextEnd().command();
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.names()).isEqualTo(NAME);
    }

    @Test
    void unknownTicketIsEnded() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(holder);
        String forgotten = test.engine.instance() + ":99";
        store.nextEnd().answer(handsOver(forgotten, 8));

        assertThat(store.nextEnd().command().id()).isEqualTo(forgotten);
        assertThat(get(released)).isTrue();
    }

    @Test
    void overtakenGrantIsIgnoredUntilTheNextRecheck() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(9));
        release(holder).answer(handsOver(id, 9));
        assertNothingSent();
        assertThat(waiter.outcome()).isNotDone();

        test.engine.inbox().listening();
        store.nextAcquire().answer(grantedBefore(10));
        assertThat(get(waiter.outcome()).lastGrant().token).isEqualTo(10);
    }

    @Test
    void waiterAsksAtOnceIfTheAnswerMayBeLost() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(7));
        release(holder).answer(new EndReply(Role.NOTHING, List.of(), false, true));
        Sent<AcquireCommand, AcquireReply> again = store.nextAcquire();
        assertThat(id(again)).isEqualTo(id);
        again.answer(grantedBefore(8));

        assertThat(get(waiter.outcome()).lastGrant().token).isEqualTo(8);
    }

    @Test
    void grantExpiredByTheLocalClockMakesTheWaiterAsk() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(7));
        Sent<EndCommand, EndReply> end = release(holder);
        test.time.advance(LEASE);
        end.answer(handsOver(id, 8));
        Sent<AcquireCommand, AcquireReply> again = store.nextAcquire();
        assertThat(id(again)).isEqualTo(id);
        assertThat(waiter.outcome()).isNotDone();
        again.answer(grantedBefore(8));

        assertThat(get(waiter.outcome()).lastGrant().end() - ManualTime.START).isEqualTo(LEASE.toNanos() + USABLE);
    }

    @Test
    void grantRevokedBeforeItsAnswerIsLost() {
        Acquisition holder = test.hold(waits(LEASE), 7);
        PendingAcquisition waiter = asks();
        String id = answer(busy(7));
        Sent<EndCommand, EndReply> end = release(holder);
        test.engine.inbox().revoked(NAME, id, 8);
        end.answer(handsOver(id, 8));

        assertThat(get(waiter.outcome()).loss()).isDone();
    }

    /** Missed messages would make the process renew its subscription. */
    @Test
    void recheckThatFindsSuchAGrantIsNoMissedMessage() {
        for (int i = 0; i < 2; i++) {
            Acquisition holder = test.hold(waits(LEASE), 7);
            PendingAcquisition waiter = asks();
            String id = answer(busy(7));
            test.engine.inbox().listening();
            Sent<AcquireCommand, AcquireReply> recheck = store.nextAcquire();
            release(holder).answer(handsOver(id, 8));
            recheck.answer(grantedBefore(8));
            release(get(waiter.outcome())).answer(ended(Role.HOLDER));
        }

        assertThat(store.listenedAnew).hasValue(0);
    }

    /** Lost answers show nothing about the subscription. */
    @Test
    void grantsWithLostAnswersAreNoMissedMessages() {
        for (int i = 0; i < 2; i++) {
            Acquisition holder = test.hold(waits(LEASE), 7);
            PendingAcquisition waiter = asks();
            answer(busy(7));
            release(holder).answer(new EndReply(Role.NOTHING, List.of(), false, true));
            store.nextAcquire().answer(grantedBefore(8));
            release(get(waiter.outcome())).answer(ended(Role.HOLDER));
        }

        assertThat(store.listenedAnew).hasValue(0);
    }

    /** Starts an acquisition in this thread, which does not wait. */
    private PendingAcquisition asks() {
        return test.engine.acquireAsync(waits(LEASE), begun::add);
    }

    /** Answers the next acquire. Returns the id of its request. */
    private String answer(AcquireReply reply) {
        Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
        asked.answer(reply);
        return id(asked);
    }

    private Sent<EndCommand, EndReply> release(Acquisition holder) {
        test.engine.releaser().releaseAsync(holder);
        return store.nextEnd();
    }

    private static String id(Sent<AcquireCommand, ?> acquire) {
        return acquire.command().requests().get(0).id();
    }

    private static EndReply handsOver(String id, long token) {
        return new EndReply(Role.HOLDER, List.of(), false, false, List.of(id), OptionalLong.of(token));
    }

    private void assertNothingSent() {
        test.settle();
        assertThat(store.acquires).isEmpty();
        assertThat(store.ends).isEmpty();
    }
}
