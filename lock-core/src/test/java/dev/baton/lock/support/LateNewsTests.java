package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.reply;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests answers and messages for an acquisition that no longer waits: it holds its lock, is over, or was forgotten. */
class LateNewsTests {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void secondMessageForAHeldLockDoesNothing() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        Grant grant = acquisition.lastGrant();
        test.time.advance(Duration.ofSeconds(1));

        test.engine.inbox().granted(NAME, acquisition.ticket().id(), 7);
        test.engine.inbox().granted(NAME, acquisition.ticket().id(), 6);
        test.settle();

        assertThat(acquisition.grant()).isSameAs(grant);
        assertThat(grant.token).isEqualTo(7);
        assertThat(test.store.ends).isEmpty();
        assertThat(test.store.acquires).isEmpty();
    }

    @Test
    void newerGrantOfAHeldLockIsALoss() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);

        test.engine.inbox().granted(NAME, acquisition.ticket().id(), 8);

        assertThat(acquisition.loss()).isCompleted();
        assertThat(test.store.nextEnd().command().id())
                .isEqualTo(acquisition.ticket().id());
    }

    @Test
    void releaseWithoutAnAnswerIsALossIfTheLossIsKnown() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(acquisition);
        FakeLockStore.Sent<EndCommand, EndReply> end = test.store.nextEnd();
        test.engine.inbox().granted(NAME, acquisition.ticket().id(), 8);
        assertThat(acquisition.loss()).isCompleted();

        end.fail(TestEngine.refusal());

        assertThat(TestEngine.get(released)).isFalse();
    }

    @Test
    void revokedLockIsLostAtOnceAndItsTicketIsEnded() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);

        test.engine.inbox().revoked(NAME, acquisition.ticket().id(), 7);

        assertThat(acquisition.loss()).isCompleted();
        assertThat(((Phase.Over) acquisition.phase()).reason()).startsWith("it was force-released");
        assertThat(test.store.nextEnd().command().id())
                .isEqualTo(acquisition.ticket().id());
    }

    @Test
    void revocationOfAnEarlierGrantDoesNotHarmTheCurrentGrant() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);

        test.engine.inbox().revoked(NAME, acquisition.ticket().id(), 6);
        test.engine.inbox().revoked(NAME, "other:9", 7);
        test.settle();

        assertThat(acquisition.grant()).isNotNull();
        assertThat(test.store.ends).isEmpty();
    }

    @Test
    void grantRevokedBeforeItsAnswerIsLostFromItsStart() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> asked = test.store.nextAcquire();
        String id = asked.command().requests().get(0).id();

        test.engine.inbox().revoked(NAME, id, 7);
        asked.answer(granted(7));

        Acquisition acquisition = get(caller);
        assertThat(acquisition.grant()).isNull();
        assertThat(acquisition.loss()).isCompleted();
        assertThat(test.store.nextEnd().command().id()).isEqualTo(id);
    }

    @Test
    void waiterMayBeGrantedAgainAfterARevocation() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> asked = test.store.nextAcquire();

        test.engine.inbox().revoked(NAME, asked.command().requests().get(0).id(), 7);
        asked.answer(granted(8));

        assertThat(get(caller).grant()).isNotNull();
    }

    @Test
    void busyAnswerWithANewerMarkIsALossOfAHeldLock() {
        Acquisition acquisition = holdWhileAsking(8);

        assertThat(acquisition.loss()).isCompleted();
        assertThat(test.store.nextEnd().command().id())
                .isEqualTo(acquisition.ticket().id());
    }

    @Test
    void busyAnswerWithAnOlderMarkIsNoLossOfAHeldLock() {
        Acquisition acquisition = holdWhileAsking(6);
        test.settle();

        assertThat(acquisition.grant()).isNotNull();
        assertThat(test.store.ends).isEmpty();
    }

    /** Returns an acquisition granted by message with token 7. Its acquire is answered busy afterwards. */
    private Acquisition holdWhileAsking(long mark) {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        test.engine.inbox().granted(NAME, id(acquire), 7);
        Acquisition acquisition = get(caller);
        acquire.answer(busy(mark));
        return acquisition;
    }

    @Test
    void newerGrantOfAReleasedLockIsALoss() {
        assertThat(releaseWhileAsking(8).loss()).isCompleted();
    }

    @Test
    void sameGrantOfAReleasedLockIsNoLoss() {
        Acquisition acquisition = releaseWhileAsking(7);
        test.settle();

        assertThat(acquisition.loss()).isNotDone();
    }

    /**
     * Returns an acquisition granted by message with token 7 and released by its holder. Its acquire is answered with a
     * grant of the given token afterwards.
     */
    private Acquisition releaseWhileAsking(long token) {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        test.engine.inbox().granted(NAME, id(acquire), 7);
        Acquisition acquisition = get(caller);
        CompletableFuture<Boolean> released = test.engine.releaser().releaseAsync(acquisition);
        test.store.nextEnd().answer(ended(Role.HOLDER));
        assertThat(get(released)).isTrue();
        acquire.answer(granted(token));
        return acquisition;
    }

    @Test
    void grantForAForgottenTicketIsEnded() {
        String forgotten = test.engine.instance() + ":99";
        test.engine.inbox().granted(NAME, forgotten, 7);

        assertThat(test.store.nextEnd().command())
                .isEqualTo(new EndCommand(NAME, forgotten, null, 0, 0, TestEngine.CALM.commandTimeoutNanos()));
    }

    @Test
    void messageForATicketWithAPendingEndSendsNoSecondEnd() {
        Sent<AcquireCommand, AcquireReply> acquire = giveUpWhileAsking();
        Sent<EndCommand, ?> owed = test.store.nextEnd();
        test.engine.inbox().granted(NAME, id(acquire), 7);
        test.settle();

        assertThat(test.store.ends).as("an end is pending already").isEmpty();
        assertThat(owed.command().id()).isEqualTo(id(acquire));
    }

    @Test
    void ticketOfALateGrantIsEnded() {
        Sent<AcquireCommand, AcquireReply> acquire = giveUpWhileAsking();
        test.store.nextEnd().answer(ended(Role.NOTHING));
        assertThat(test.engine.openRequests()).isZero();

        acquire.answer(granted(7));

        assertThat(test.store.nextEnd().command().id()).isEqualTo(id(acquire));
    }

    @Test
    void ticketOfALateBusyAnswerIsEnded() {
        Sent<AcquireCommand, AcquireReply> acquire = giveUpWhileAsking();
        test.store.nextEnd().answer(ended(Role.NOTHING));

        acquire.answer(busy(7));

        assertThat(test.store.nextEnd().command().id()).isEqualTo(id(acquire));
    }

    @Test
    void lateOverAnswerNeedsNoEnd() {
        Sent<AcquireCommand, AcquireReply> acquire = giveUpWhileAsking();
        test.store.nextEnd().answer(ended(Role.NOTHING));

        acquire.answer(reply(new AcquireReply.Over()));
        test.settle();

        assertThat(test.store.ends).isEmpty();
    }

    /** Returns the acquire of a caller that has given up before it was answered. */
    private Sent<AcquireCommand, AcquireReply> giveUpWhileAsking() {
        CompletableFuture<Acquisition> caller =
                test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(30), false));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        Awaitility.await().until(caller::isCompletedExceptionally);
        return acquire;
    }

    private static String id(Sent<AcquireCommand, ?> acquire) {
        return acquire.command().requests().get(0).id();
    }
}
