package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener.HandOver;
import dev.baton.lock.OnLost;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AcquisitionTests {

    private static final AcquisitionSpec SPEC = TestEngine.waits(Duration.ofSeconds(10));

    private final Acquisition alone = TestEngine.acquisition(SPEC, 0);
    private final Ticket ticket = alone.ticket();

    private final RequestRegistry registry = new RequestRegistry("j", Integer.MAX_VALUE);
    private final Acquisition first = member(false);
    private final Acquisition second = member(true);
    private final Ticket shared = registry.ticket(SPEC, 0, first, 4);

    private Acquisition member(boolean behind) {
        Acquisition member = new Acquisition(SPEC, 0, registry);
        registry.add(member);
        member.waitsIn(WaitStatus.NOTHING_KNOWN, behind);
        return member;
    }

    private static Grant granted(Ticket ticket) {
        return Objects.requireNonNull(ticket.granted(100, 1_000, 5));
    }

    @Test
    void grantWakesTheCaller() {
        Grant grant = granted(ticket);

        assertThat(ticket.offer()).isTrue();

        assertThat(alone.settled).isCompletedWithValue(Outcome.GRANTED);
        assertThat(alone.grant()).isSameAs(grant);
    }

    @Test
    void callerThatHasGivenUpTakesNoGrant() {
        assertThat(alone.giveUp(3)).isTrue();
        granted(ticket);

        assertThat(ticket.offer()).isFalse();

        assertThat(alone.wasGranted()).isFalse();
        assertThat(alone.settled).isNotDone();
    }

    @Test
    void callerGrantedByALostTicketHasLostTheLock() {
        Grant grant = granted(ticket);
        ticket.end(grant, Phase.Why.LOST, 7, "it was deleted");
        ticket.tellLost();

        assertThat(ticket.offer()).isTrue();

        assertThat(alone.phase()).isEqualTo(new Phase.Over(grant, Phase.Why.LOST, 7, "it was deleted"));
        assertThat(alone.loss()).isCompleted();
        assertThat(alone.settled).isCompletedWithValue(Outcome.GRANTED);
    }

    @Test
    void endOfTheWaitIsCountedOnce() {
        AtomicInteger settled = new AtomicInteger();
        alone.onSettled(settled::incrementAndGet);
        granted(ticket);
        assertThat(settled).hasValue(0);

        ticket.offer();
        alone.fail();

        assertThat(settled).hasValue(1);
        assertThat(alone.settled).isCompletedWithValue(Outcome.GRANTED);
    }

    /** Else the next request of the caller could be refused because of a limit that is not reached any more. */
    @Test
    void endOfTheWaitIsCountedBeforeTheCallerWakes() {
        AtomicBoolean awake = new AtomicBoolean();
        alone.onSettled(() -> awake.set(alone.settled.isDone()));
        granted(ticket);

        ticket.offer();

        assertThat(awake).isFalse();
        assertThat(alone.settled).isDone();
    }

    @Test
    void actionRunsWhenTheLeaseIsLost() {
        AtomicInteger losses = new AtomicInteger();
        Grant grant = granted(ticket);
        ticket.offer();
        alone.onLoss(losses::incrementAndGet);
        assertThat(losses).hasValue(0);

        ticket.end(grant, Phase.Why.LOST, 7, "it was deleted");
        ticket.tellLost();

        assertThat(losses).hasValue(1);
    }

    @Test
    void actionRunsAtOnceIfTheLeaseIsLostAlready() {
        AtomicInteger losses = new AtomicInteger();
        Grant grant = granted(ticket);
        ticket.offer();
        ticket.end(grant, Phase.Why.LOST, 7, "it was deleted");
        ticket.tellLost();

        alone.onLoss(losses::incrementAndGet);

        assertThat(losses).hasValue(1);
    }

    @Test
    void lossOfTheTicketIsALossOfTheCaller() {
        Grant grant = granted(ticket);
        ticket.offer();
        ticket.end(grant, Phase.Why.LOST, 7, "it was deleted");
        ticket.missing(List.of(new LockName("", "a")));

        ticket.tellLost();
        ticket.tellLost();

        assertThat(alone.isLost()).isTrue();
        assertThat(alone.lostNames()).containsExactly("a");
        assertThat(alone.phase()).as("reported once").isEqualTo(ticket.phase());
    }

    @Test
    void releasedLockIsLostIfItsTicketIsFoundLost() {
        Grant grant = granted(ticket);
        ticket.offer();
        alone.end(grant, Phase.Why.RELEASED, 6, "");
        ticket.end(grant, Phase.Why.RELEASED, 6, "");
        alone.lost(ticket);
        assertThat(alone.isLost()).as("its ticket is not lost").isFalse();

        ticket.foundLost(9, "it was deleted");

        assertThat(alone.phase()).isEqualTo(new Phase.Over(grant, Phase.Why.LOST, 9, "it was deleted"));
        assertThat(alone.loss()).isCompleted();
    }

    @Test
    void memberThatHasReleasedTheLockDoesNotLoseItWithTheNextMember() {
        Grant grant = granted(shared);
        takes(first, grant, 100, null);
        first.end(Objects.requireNonNull(first.grant()), Phase.Why.RELEASED, 6, "");
        takes(second, grant, 101, null);
        shared.end(grant, Phase.Why.LOST, 7, "it was deleted");

        first.lost(shared);
        second.lost(shared);

        assertThat(first.isLost()).isFalse();
        assertThat(first.loss()).isNotDone();
        assertThat(second.isLost()).isTrue();
    }

    @Test
    void failureOfTheTicketReachesTheAcquisition() {
        ticket.refused(TestEngine.refusal());

        ticket.fail(Outcome.FAILED);

        assertThat(alone.settled).isCompletedWithValue(Outcome.FAILED);
        assertThat(alone.failure()).isSameAs(ticket.failure()).isNotNull();
    }

    @Test
    void immediateGrantIsNotContended() {
        granted(ticket);
        ticket.offer();
        assertThat(alone.details(OnLost.THROW).contended()).isFalse();
        assertThat(alone.details(OnLost.THROW).waited()).isEqualTo(Duration.ofNanos(5));
    }

    /** A thread that passes the lock on reads the clock first, and may then be slower than a new member. */
    @Test
    void callerThatAskedAfterTheClockWasReadHasNotWaited() {
        Acquisition late = new Acquisition(SPEC, 9, registry);
        registry.add(late);
        late.waitsIn(WaitStatus.NOTHING_KNOWN, true);
        takes(late, granted(shared), 100, null);
        assertThat(late.details(OnLost.THROW).waited()).isZero();
    }

    @Test
    void messageThatOvertakesTheBusyAnswerShowsContention() {
        ticket.told();
        granted(ticket);
        ticket.offer();
        assertThat(alone.details(OnLost.THROW).contended()).isTrue();
    }

    @Test
    void messageForTheSharedTicketShowsContention() {
        Grant grant = granted(shared);
        shared.told();
        takes(first, grant, 100, null);
        assertThat(first.details(OnLost.THROW).contended()).isTrue();
    }

    @Test
    void onlyAGrantByTheStoreCostsAttempts() {
        shared.ask(Kind.MESSAGE, 0, 1);
        Grant grant = granted(shared);
        takes(first, grant, 100, null);
        takes(second, grant, 101, null);

        assertThat(first.attempts()).isEqualTo(1);
        assertThat(first.isContended()).isFalse();
        assertThat(second.attempts()).isZero();
        assertThat(second.isContended()).as("the first member held the lock").isTrue();
    }

    @Test
    void memberThatFoundAHolderHasWaitedForThatHolder() {
        LockHolder holder = new LockHolder("web-1:1/main", "j:t1", 99, Duration.ZERO, Duration.ZERO);
        Grant grant = granted(shared);
        takes(first, grant, 100, holder);
        takes(second, grant, 101, holder);

        assertThat(first.waitedFor()).isNull();
        assertThat(second.waitedFor()).isSameAs(holder);
    }

    private void takes(Acquisition member, Grant grant, long token, @Nullable LockHolder last) {
        assertThat(member.takes(shared, new Grant(grant, token, 5), null, last)).isTrue();
    }

    @Test
    void handOverIsWithinTheProcessOrToAnother() {
        first.handedTo(List.of("j:7", "k:7"));
        assertThat(first.handOvers()).containsExactly(HandOver.LOCAL, HandOver.REMOTE);
    }

    @Test
    void ticketIsReadOnlyIfThereIsOne() {
        assertThatIllegalStateException()
                .isThrownBy(first::ticket)
                .withMessage("the request for lock 'server_access.42' has no ticket yet");
    }
}
