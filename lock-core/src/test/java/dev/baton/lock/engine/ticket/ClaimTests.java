package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.engine.wait.AcquireDispatcher;
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

class ClaimTests {

    private static final long NOW = shortBeforeTheWrapAround();
    private static final long ORDER = 4;
    private static final long OTHER = 5;
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final Claim claim = claim(TestEngine.waits(LEASE));

    private static long shortBeforeTheWrapAround() {
        return Long.MAX_VALUE - 5;
    }

    private static Claim claim(AcquisitionSpec spec) {
        return new Claim("i:1", spec, NOW);
    }

    private static Busy busyMarked(long mark) {
        return TestEngine.busyAnswer(mark, Duration.ofSeconds(1));
    }

    @Test
    void waitsThenHoldsThenIsOver() {
        assertThat(claim.isWaiting()).isTrue();
        assertThat(claim.grant()).isNull();
        assertThatIllegalStateException().isThrownBy(claim::lastGrant).withMessage("request i:1 was never granted");

        Grant grant = claim.granted(7, NOW + 100, NOW);
        assertThat(grant).isNotNull();
        assertThat(claim.isWaiting()).isFalse();
        assertThat(claim.grant()).isSameAs(grant).isSameAs(claim.lastGrant());

        assertThat(claim.end(grant, Claim.Why.LOST, NOW + 9, "deleted")).isTrue();
        assertThat(claim.phase()).isEqualTo(new Claim.Over(grant, Claim.Why.LOST, NOW + 9, "deleted"));
        assertThat(claim.grant()).isNull();
        assertThat(claim.lastGrant()).isSameAs(grant);
    }

    @Test
    void nothingHappensTwice() {
        Grant grant = claim.granted(7, NOW + 100, NOW);

        assertThat(claim.granted(8, NOW + 200, NOW)).isNull();
        assertThat(claim.giveUp(NOW)).isFalse();
        assertThat(claim.grant()).isSameAs(grant);
        assertThat(claim.end(grant, Claim.Why.RELEASED, NOW, "")).isTrue();
        assertThat(claim.end(grant, Claim.Why.LOST, NOW, "late")).isFalse();
        assertThat(claim.phase()).isEqualTo(new Claim.Over(grant, Claim.Why.RELEASED, NOW, ""));
        assertThat(claim.granted(9, NOW + 300, NOW)).isNull();
    }

    @Test
    void releasedOneCanTurnOutToHaveBeenLost() {
        Grant grant = claim.granted(7, NOW + 100, NOW);
        claim.end(grant, Claim.Why.RELEASED, NOW, "");

        claim.foundLost(NOW + 3, "deleted");

        assertThat(claim.phase()).isEqualTo(new Claim.Over(grant, Claim.Why.LOST, NOW + 3, "deleted"));
    }

    @Test
    void grantAndGivingUpHaveOneWinner() throws Exception {
        for (int i = 0; i < 3_000; i++) {
            Claim raced = claim(TestEngine.waits(LEASE));
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

    /** Spins, so that both go on within the same microsecond. */
    private static void meet(AtomicInteger ready) {
        ready.incrementAndGet();
        while (ready.get() < 2) {
            Thread.onSpinWait();
        }
    }

    @Test
    void onlyWhoWaitsAsks() {
        assertThat(claim.ask(NOW, ORDER)).isTrue();
        claim.asked();
        claim.answered(false);
        assertThat(claim.giveUp(NOW)).isTrue();

        assertThat(claim.ask(NOW, ORDER)).isFalse();
        assertThat(claim.isUnderWay()).isFalse();
        assertThat(claim.isDoubtful(OTHER)).isFalse();
    }

    @Test
    void endIsDoubtfulAsLongAsAnAcquireMayRunAfterIt() {
        assertDoubtful(false, false);

        claim.ask(NOW, ORDER);
        assertDoubtful(true, true); // about to be sent: may be given to the store after the end
        claim.asked();
        assertDoubtful(false, true); // sent: comes before the end as long as the order is kept
        claim.answered(false);
        assertDoubtful(false, false);
    }

    @Test
    void endIsDoubtfulForEverOnceAnAcquireWasNotAnswered() {
        claim.ask(NOW, ORDER);
        claim.asked();
        claim.failed(TestEngine.passing(), true);
        assertDoubtful(true, true);

        claim.ask(NOW, ORDER);
        claim.asked();
        claim.answered(false);
        assertDoubtful(true, true);
    }

    @Test
    void endIsDoubtfulForEverOnceAnAcquireMayHaveBeenRepeated() {
        claim.ask(NOW, ORDER);
        claim.asked();
        claim.answered(true);

        assertDoubtful(true, true);
    }

    @Test
    void endIsDoubtfulWhenTheOrderWasLostBetweenTwoAcquiresUnderWay() {
        claim.ask(NOW, ORDER);
        claim.asked();
        claim.ask(NOW, OTHER);
        claim.asked();

        assertDoubtful(true, true);
    }

    @Test
    void refusalIsToldAndCastsNoDoubt() {
        claim.ask(NOW, ORDER);
        claim.asked();
        claim.answered(false);
        claim.refused(TestEngine.refusal());

        assertThat(claim.failure()).hasMessageContaining("NOPERM");
        assertDoubtful(false, false);
    }

    @Test
    void oneOfTwoAcquiresStillUnderWayIsDoubtful() {
        claim.ask(NOW, ORDER);
        claim.ask(NOW, ORDER);
        claim.asked();
        assertDoubtful(true, true);
        claim.asked();
        claim.answered(false);
        assertThat(claim.isUnderWay()).isTrue();
        assertDoubtful(false, true);
        claim.answered(false);
        assertThat(claim.isUnderWay()).isFalse();
        assertDoubtful(false, false);
    }

    @Test
    void grantHasTheTokensThatItsOwnSaysAreKept() {
        Claim kept = new Claim("i:1", TestEngine.waits(LEASE), NOW, null, 2);
        assertThat(kept.granted(150, NOW + 100, NOW).reserved).isEqualTo(2);
        Claim none = new Claim("i:2", TestEngine.waits(LEASE), NOW, null, 2);
        assertThat(none.granted(151, NOW + 100, NOW).reserved).isZero();
    }

    private void assertDoubtful(boolean inOrder, boolean outOfOrder) {
        assertThat(claim.isDoubtful(ORDER)).as("after it in order").isEqualTo(inOrder);
        assertThat(claim.isDoubtful(OTHER)).as("after the order was lost").isEqualTo(outOfOrder);
    }

    @Test
    void failuresAreCountedUntilAnAnswer() {
        claim.ask(NOW, ORDER);
        assertThat(claim.failed(TestEngine.passing(), true)).isEqualTo(1);
        claim.ask(NOW, ORDER);
        assertThat(claim.failed(TestEngine.refusal(), true)).isEqualTo(2);
        assertThat(claim.failure()).hasMessageContaining("NOPERM");
        claim.ask(NOW, ORDER);
        claim.answered(false);
        assertThat(claim.failure()).isNull();
        claim.ask(NOW, ORDER);
        assertThat(claim.failed(TestEngine.passing(), true)).isEqualTo(1);
    }

    @Test
    void beforeAnAnswerALeaseCountsFromTheFirstAcquire() {
        claim.ask(NOW + 1, ORDER);
        claim.ask(NOW + 20, ORDER);

        assertThat(claim.evidence(0)).hasValue(NOW + 1);
        assertThat(claim.contended()).isFalse();
        assertThat(claim.holder()).isNull();
        assertThat(claim.isOvertaken(0)).isFalse();
    }

    @Test
    void afterABusyAnswerALeaseCountsFromItsSending() {
        claim.ask(NOW + 1, ORDER);
        claim.ask(NOW + 20, ORDER);
        claim.seen(busyMarked(6), NOW + 20);

        assertThat(claim.evidence(7)).hasValue(NOW + 20);
        assertThat(claim.contended()).isTrue();
        assertThat(claim.holder())
                .isNotNull()
                .extracting(holder -> holder.fencingToken())
                .isEqualTo(6L);
    }

    @Test
    void lateBusyAnswerDoesNotReplaceANewerOne() {
        claim.seen(busyMarked(6), NOW + 20);
        claim.seen(busyMarked(4), NOW + 1);

        assertThat(claim.evidence(7)).hasValue(NOW + 20);
        assertThat(claim.isOvertaken(6)).isTrue();

        claim.seen(busyMarked(8), NOW + 30);
        assertThat(claim.evidence(9)).hasValue(NOW + 30);
        assertThat(claim.isOvertaken(7)).isTrue();
    }

    @Test
    void grantIsOvertakenUnlessItsTokenIsGreaterThanTheMark() {
        claim.seen(busyMarked(6), NOW);

        assertThat(claim.isOvertaken(5)).isTrue();
        assertThat(claim.isOvertaken(6)).isTrue();
        assertThat(claim.isOvertaken(7)).isFalse();
        assertThat(claim.evidence(6)).isEmpty();
        assertThat(claim.evidence(7)).hasValue(NOW);
    }

    @Test
    void requestSaysHowItLearnsOfItsGrant() {
        assertThat(AcquireDispatcher.request(claim, true, 1_500, NOW))
                .isEqualTo(new Request("i:1", Kind.MESSAGE, 10_000, 60_001, 1_500, "i:t7", "web-3:4711/http-7"));
        assertThat(AcquireDispatcher.request(claim, false, 1_500, NOW).kind()).isEqualTo(Kind.POLL);
        assertThat(AcquireDispatcher.request(claim(TestEngine.tries(LEASE)), true, 1_500, NOW)
                        .kind())
                .isEqualTo(Kind.TRY);
        assertThat(AcquireDispatcher.request(claim(TestEngine.tries(LEASE)), false, 1_500, NOW)
                        .kind())
                .isEqualTo(Kind.TRY);
    }

    @Test
    void grantEndsOnlyEverLater() {
        Grant grant = claim.granted(7, NOW + 100, NOW);

        grant.extend(NOW + 90);
        assertThat(grant.end()).isEqualTo(NOW + 100);
        grant.extend(NOW + 110);
        assertThat(grant.end()).isEqualTo(NOW + 110);
    }

    @Test
    void questionThatSaysNothingOfTheStoreIsNoFailure() {
        claim.ask(0, 0);
        assertThat(claim.failed(TestEngine.passing(), false)).isEqualTo(1);
        assertThat(claim.failure()).isNull();

        claim.ask(1, 0);
        assertThat(claim.failed(TestEngine.passing(), true)).isEqualTo(2);
        assertThat(claim.failure()).isNotNull();
    }

    @Test
    void claimThatIsGivenUpWhileItsAnswerIsReadMayBeInTheStore() {
        for (AcquireReply.Answer answer : List.of(new AcquireReply.Granted(7, false), busyMarked(6))) {
            Claim waiter = claim(TestEngine.waits(LEASE));
            waiter.ask(NOW, 0);
            waiter.asked();
            waiter.seen(answer, NOW);
            waiter.answered(false);
            assertThat(waiter.giveUp(NOW)).isTrue();
            assertThat(waiter.mayBeInStore()).isTrue();
        }
    }

    @Test
    void failureIsKnownOnceNoAcquireIsUnderWay() {
        claim.ask(NOW, 0);
        claim.asked();
        claim.failed(TestEngine.passing(), true);
        assertThat(claim.isUnderWay()).isFalse();
        assertThat(claim.failure()).isNotNull();
    }
}
