package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TicketTests {

    private static final long NOW = shortBeforeTheWrapAround();
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final Ticket ticket = ticket(TestEngine.waits(LEASE));

    private static long shortBeforeTheWrapAround() {
        return Long.MAX_VALUE - 5;
    }

    private static Ticket ticket(AcquisitionSpec spec) {
        return TestEngine.ticket(spec, NOW);
    }

    private static Busy busyMarked(long mark) {
        return TestEngine.busyAnswer(mark, Duration.ofSeconds(1));
    }

    @Test
    void waitsThenHoldsThenIsOver() {
        assertThat(ticket.isWaiting()).isTrue();
        assertThat(ticket.grant()).isNull();
        assertThatIllegalStateException().isThrownBy(ticket::lastGrant).withMessage("ticket i:1 was never granted");

        Grant grant = ticket.granted(7, NOW + 100, NOW);
        assertThat(grant).isNotNull();
        assertThat(ticket.isWaiting()).isFalse();
        assertThat(ticket.grant()).isSameAs(grant).isSameAs(ticket.lastGrant());

        assertThat(ticket.end(grant, Phase.Why.LOST, NOW + 9, "deleted")).isTrue();
        assertThat(ticket.phase()).isEqualTo(new Phase.Over(grant, Phase.Why.LOST, NOW + 9, "deleted"));
        assertThat(ticket.grant()).isNull();
        assertThat(ticket.lastGrant()).isSameAs(grant);
    }

    @Test
    void nothingHappensTwice() {
        Grant grant = ticket.granted(7, NOW + 100, NOW);

        assertThat(ticket.granted(8, NOW + 200, NOW)).isNull();
        assertThat(ticket.giveUp(NOW)).isFalse();
        assertThat(ticket.grant()).isSameAs(grant);
        assertThat(ticket.end(grant, Phase.Why.RELEASED, NOW, "")).isTrue();
        assertThat(ticket.end(grant, Phase.Why.LOST, NOW, "late")).isFalse();
        assertThat(ticket.phase()).isEqualTo(new Phase.Over(grant, Phase.Why.RELEASED, NOW, ""));
        assertThat(ticket.granted(9, NOW + 300, NOW)).isNull();
    }

    @Test
    void releasedTicketMayBeFoundLost() {
        Grant grant = ticket.granted(7, NOW + 100, NOW);
        ticket.end(grant, Phase.Why.RELEASED, NOW, "");

        ticket.foundLost(NOW + 3, "deleted");

        assertThat(ticket.phase()).isEqualTo(new Phase.Over(grant, Phase.Why.LOST, NOW + 3, "deleted"));
    }

    @Test
    void grantAndGivingUpHaveOneWinner() throws Exception {
        for (int i = 0; i < 3_000; i++) {
            Ticket raced = ticket(TestEngine.waits(LEASE));
            AtomicInteger ready = new AtomicInteger();
            CompletableFuture<Boolean> granted = CompletableFuture.supplyAsync(() -> {
                meet(ready);
                return raced.granted(7, NOW + 100, NOW) != null;
            });
            meet(ready);
            boolean givenUp = raced.giveUp(NOW);

            assertThat(granted.get(5, TimeUnit.SECONDS)).as("race %d", i).isNotEqualTo(givenUp);
            assertThat(raced.grant() != null).as("race %d", i).isNotEqualTo(givenUp);
        }
    }

    /** Spins, so that both threads continue within the same microsecond. */
    private static void meet(AtomicInteger ready) {
        ready.incrementAndGet();
        while (ready.get() < 2) {
            Thread.onSpinWait();
        }
    }

    @Test
    void onlyAWaitingTicketSendsAnAcquire() {
        assertThat(ticket.ask(Kind.MESSAGE, 0, NOW)).isNotNull();
        ticket.answered(false);
        assertThat(ticket.giveUp(NOW)).isTrue();

        assertThat(ticket.ask(Kind.MESSAGE, 0, NOW)).isNull();
        assertDoubtful(false);
    }

    @Test
    void endIsDoubtfulAsLongAsAnAcquireMayRunAfterIt() {
        assertDoubtful(false);

        ticket.ask(Kind.MESSAGE, 0, NOW);
        assertDoubtful(true);
        ticket.answered(false);
        assertDoubtful(false);
    }

    @Test
    void endIsDoubtfulForEverOnceAnAcquireWasNotAnswered() {
        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.failed(TestEngine.passing(), true);
        assertDoubtful(true);

        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.answered(false);
        assertDoubtful(true);
    }

    @Test
    void endIsDoubtfulForEverOnceAnAcquireMayHaveBeenRepeated() {
        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.answered(true);

        assertDoubtful(true);
    }

    @Test
    void refusalIsKeptAndLeavesNoDoubt() {
        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.answered(false);
        ticket.refused(TestEngine.refusal());

        assertThat(ticket.failure()).hasMessageContaining("NOPERM");
        assertDoubtful(false);
    }

    @Test
    void endIsDoubtfulWhileOneOfTwoAcquiresIsUnderWay() {
        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.ask(Kind.MESSAGE, 0, NOW);
        assertDoubtful(true);
        ticket.answered(false);
        assertDoubtful(true);
        ticket.answered(false);
        assertDoubtful(false);
    }

    @Test
    void tokenOfAGrantSaysWhetherTokensAreReserved() {
        Ticket kept = reserving();
        assertThat(kept.granted(150, NOW + 100, NOW).reserved).isEqualTo(2);
        Ticket none = reserving();
        assertThat(none.granted(151, NOW + 100, NOW).reserved).isZero();
    }

    private static Ticket reserving() {
        Acquisition holder = TestEngine.acquisition(TestEngine.waits(LEASE), NOW);
        return new RequestRegistry("i", Integer.MAX_VALUE).ticket(holder.spec(), NOW, holder, 2);
    }

    private void assertDoubtful(boolean doubtful) {
        assertThat(ticket.isDoubtful()).isEqualTo(doubtful);
    }

    @Test
    void failuresAreCountedUntilAnAnswer() {
        ticket.ask(Kind.MESSAGE, 0, NOW);
        assertThat(ticket.failed(TestEngine.passing(), true)).isEqualTo(1);
        ticket.ask(Kind.MESSAGE, 0, NOW);
        assertThat(ticket.failed(TestEngine.refusal(), true)).isEqualTo(2);
        assertThat(ticket.failure()).hasMessageContaining("NOPERM");
        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.answered(false);
        assertThat(ticket.failure()).isNull();
        ticket.ask(Kind.MESSAGE, 0, NOW);
        assertThat(ticket.failed(TestEngine.passing(), true)).isEqualTo(1);
    }

    @Test
    void beforeAnAnswerALeaseCountsFromTheFirstAcquire() {
        ticket.ask(Kind.MESSAGE, 0, NOW + 1);
        ticket.ask(Kind.MESSAGE, 0, NOW + 20);

        assertThat(ticket.evidence(0)).hasValue(NOW + 1);
        assertThat(ticket.isContended()).isFalse();
        assertThat(ticket.holder(NOW)).isNull();
        assertThat(ticket.isOvertaken(0)).isFalse();
    }

    @Test
    void afterABusyAnswerALeaseCountsFromItsSending() {
        ticket.ask(Kind.MESSAGE, 0, NOW + 1);
        ticket.ask(Kind.MESSAGE, 0, NOW + 20);
        ticket.seen(busyMarked(6), NOW + 20);

        assertThat(ticket.evidence(7)).hasValue(NOW + 20);
        assertThat(ticket.isContended()).isTrue();
        assertThat(ticket.holder(NOW))
                .isNotNull()
                .extracting(holder -> holder.fencingToken())
                .isEqualTo(6L);
    }

    @Test
    void lateBusyAnswerDoesNotReplaceANewerOne() {
        ticket.seen(busyMarked(6), NOW + 20);
        ticket.seen(busyMarked(4), NOW + 1);

        assertThat(ticket.evidence(7)).hasValue(NOW + 20);
        assertThat(ticket.isOvertaken(6)).isTrue();

        ticket.seen(busyMarked(8), NOW + 30);
        assertThat(ticket.evidence(9)).hasValue(NOW + 30);
        assertThat(ticket.isOvertaken(7)).isTrue();
    }

    @Test
    void grantIsOvertakenUnlessItsTokenExceedsTheMark() {
        ticket.seen(busyMarked(6), NOW);

        assertThat(ticket.isOvertaken(5)).isTrue();
        assertThat(ticket.isOvertaken(6)).isTrue();
        assertThat(ticket.isOvertaken(7)).isFalse();
        assertThat(ticket.evidence(6)).isEmpty();
        assertThat(ticket.evidence(7)).hasValue(NOW);
    }

    @Test
    void requestStaysTheSameButForTheWayToNotifyTheWaiter() {
        assertThat(ticket.request()).as("no acquire yet").isNull();

        Request first = ticket.ask(Kind.MESSAGE, 1_500, NOW);
        assertThat(first)
                .isEqualTo(new Request("i:1", Kind.MESSAGE, 10_000, 60_001, 1_500, "i:t7", "web-3:4711/http-7"));

        ticket.leaseNanos(TimeUnit.SECONDS.toNanos(99));
        assertThat(ticket.ask(Kind.MESSAGE, 1_500, NOW)).isEqualTo(first);
        assertThat(ticket.ask(Kind.POLL, 1_500, NOW)).isEqualTo(first.as(Kind.POLL));
        assertThat(ticket.request()).isEqualTo(first.as(Kind.POLL));
    }

    @Test
    void endOfAGrantOnlyMovesLater() {
        Grant grant = ticket.granted(7, NOW + 100, NOW);

        grant.extend(NOW + 90);
        assertThat(grant.end()).isEqualTo(NOW + 100);
        grant.extend(NOW + 110);
        assertThat(grant.end()).isEqualTo(NOW + 110);
    }

    @Test
    void abandonedAcquireIsNoFailureOfTheStore() {
        ticket.ask(Kind.MESSAGE, 0, 0);
        assertThat(ticket.failed(TestEngine.passing(), false)).isEqualTo(1);
        assertThat(ticket.failure()).isNull();

        ticket.ask(Kind.MESSAGE, 0, 1);
        assertThat(ticket.failed(TestEngine.passing(), true)).isEqualTo(2);
        assertThat(ticket.failure()).isNotNull();
    }

    @Test
    void ticketGivenUpWhileItsAnswerIsReadMayBeInTheStore() {
        for (AcquireReply.Answer answer : List.of(new AcquireReply.Granted(7, false), busyMarked(6))) {
            Ticket waiter = ticket(TestEngine.waits(LEASE));
            waiter.ask(Kind.MESSAGE, 0, NOW);
            waiter.seen(answer, NOW);
            waiter.answered(false);
            assertThat(waiter.giveUp(NOW)).isTrue();
            assertThat(waiter.mayBeInStore()).isTrue();
        }
    }

    @Test
    void failureIsKnownOnceNoAcquireIsUnderWay() {
        ticket.ask(Kind.MESSAGE, 0, NOW);
        ticket.failed(TestEngine.passing(), true);
        assertThat(ticket.isUnanswered(0, NOW)).isFalse();
        assertThat(ticket.failure()).isNotNull();
    }
}
