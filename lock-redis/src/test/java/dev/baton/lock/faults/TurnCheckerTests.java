package dev.baton.lock.faults;

import static dev.baton.lock.faults.SightBuilder.asking;
import static dev.baton.lock.faults.SightBuilder.at;
import static dev.baton.lock.faults.SightBuilder.deaf;
import static dev.baton.lock.faults.SightBuilder.later;
import static dev.baton.lock.faults.SightBuilder.micros;
import static dev.baton.lock.faults.SightBuilder.nanos;
import static dev.baton.lock.faults.SightBuilder.until;
import static dev.baton.lock.faults.SightBuilder.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.faults.Sight.Waiter;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Histories that are right, and the same with one thing wrong. */
class TurnCheckerTests {

    private static final Waiter X = waiter("x", 10, "a");
    private static final Waiter Y = waiter("y", 11, "a");
    private static final Waiter PAIR = waiter("pair", 9, "a", "b");

    private static final Map<String, Life> LIVES = Life.all(List.of(
            event(1, Kind.ASKED, "h", "a", 0),
            event(1, Kind.ASKED, "x", "a", 0),
            event(1, Kind.ASKED, "y", "a", 0),
            event(1, Kind.ASKED, "pair", "a", 0),
            event(1, Kind.ASKED, "pair", "b", 0)));

    @Test
    void whoCameFirstIsNotPassedOver() {
        Sight before = at(20).held("a", "h", 5).waits(X).waits(Y).see();
        assertThat(passedOver(before, at(22).held("a", "x", 21).waits(Y).see())).isEmpty();
        assertThat(passedOver(before, at(22).held("a", "y", 21).waits(X).see()))
                .singleElement()
                .asString()
                .contains("'a'")
                .contains("request=y")
                .contains("request=x");
    }

    @Test
    void newcomerPassesNobody() {
        Sight before = at(20).held("a", "h", 5).waits(X).see();
        assertThat(passedOver(before, at(22).held("a", "y", 21).waits(X).see())).hasSize(1);
    }

    @Test
    void grantThatOnlyItsHolderTellsOfIsJudgedAsWell() {
        List<Sight> sights = List.of(
                at(20).held("a", "h", 5).waits(X).waits(Y).see(),
                at(24).waits(X).see());
        HistoryEvent told = event(23, Kind.ACQUIRED, "y", "a", micros(21));
        assertThat(checker(sights).passedOver(List.of(told))).hasSize(1);
    }

    @Test
    void whoCannotBeToldOrIsGoneMayBePassed() {
        for (UnaryOperator<Waiter> other :
                List.<UnaryOperator<Waiter>>of(SightBuilder::deaf, SightBuilder::silent, SightBuilder::late)) {
            Waiter first = other.apply(X);
            Sight before = at(20).held("a", "h", 5).waits(first).waits(Y).see();
            assertThat(passedOver(before, at(22).held("a", "y", 21).waits(first).see()))
                    .isEmpty();
        }
        Waiter asks = asking(X);
        Sight before = at(20).held("a", "h", 5).waits(asks).waits(Y).see();
        assertThat(passedOver(before, at(22).held("a", "y", 21).waits(asks).see()))
                .hasSize(1);
    }

    @Test
    void whoseWaitWasOverForAMomentMayBePassed() {
        Waiter over = until(X, micros(21));
        Waiter again = until(X, micros(30));
        Sight before = at(20).held("a", "h", 5).waits(over).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .as("its question came late, and only then says that it waits longer")
                .isEmpty();
        before = at(20).held("a", "h", 5).waits(again).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .hasSize(1);
    }

    @Test
    void whoIsNotToldAndAsksLateMayBePassed() {
        Waiter late = asking(X, micros(21));
        Waiter again = asking(X, micros(30));
        Sight before = at(20).held("a", "h", 5).waits(late).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(late).see()))
                .isEmpty();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .as("it has asked again meanwhile, perhaps after the grant")
                .isEmpty();
        before = at(20).held("a", "h", 5).waits(again).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .hasSize(1);
    }

    @Test
    void whoWasCutOffMayBePassed() {
        List<Sight> sights = List.of(
                at(20).held("a", "h", 5).waits(X).waits(Y).see(),
                at(22).held("a", "y", 21).waits(X).see());
        assertThat(checker(sights, new Fault("p", nanos(19), nanos(30))).passedOver(List.of()))
                .isEmpty();
        assertThat(checker(sights, new Fault("", nanos(19), nanos(30))).passedOver(List.of()))
                .isEmpty();
        assertThat(checker(sights, new Fault("q", nanos(19), nanos(30))).passedOver(List.of()))
                .hasSize(1);
    }

    @Test
    void waiterForSeveralMayBePassedForItsPatienceOnly() {
        Sight before = at(1000).held("a", "h", 5).waits(PAIR).waits(Y).see();
        assertThat(passedOver(before, at(1002).held("a", "y", 1001).waits(PAIR).see()))
                .isEmpty();
        before = at(1020).held("a", "h", 5).waits(PAIR).waits(Y).see();
        assertThat(passedOver(before, at(1022).held("a", "y", 1021).waits(PAIR).see()))
                .hasSize(1);
    }

    @Test
    void waiterForSeveralPassesNobody() {
        Waiter pair = waiter("pair", 12, "a", "b");
        Sight before = at(20).held("a", "h", 5).waits(X).waits(pair).see();
        assertThat(passedOver(
                        before,
                        at(22).held("a", "pair", 21)
                                .held("b", "pair", 21)
                                .waits(X)
                                .see()))
                .hasSize(1);
    }

    @Test
    void lockThatIsGivenBackIsHandedOver() {
        Sight before = at(20).held("a", "h", 5).waits(X).see();
        assertThat(notHandedOver(before, at(22).held("a", "x", 21).see())).isEmpty();
        assertThat(notHandedOver(before, at(22).see())).isEmpty();
        assertThat(notHandedOver(before, at(22).waits(X).see()))
                .singleElement()
                .asString()
                .contains("request=h")
                .contains("request=x");
    }

    @Test
    void lockWhoseLeaseEndedIsNot() {
        Sight before = at(20).held("a", "h", 5, 3).waits(X).see();
        assertThat(notHandedOver(before, at(22).waits(X).see())).isEmpty();
    }

    @Test
    void lockIsNotHandedOverToOneWhoWaitsForAnotherAsWell() {
        Sight before = at(20).held("a", "h", 5).held("b", "g", 5).waits(PAIR).see();
        assertThat(notHandedOver(before, at(22).held("b", "g", 5).waits(PAIR).see()))
                .isEmpty();
        assertThat(notHandedOver(
                        at(20).held("a", "h", 5).waits(PAIR).see(),
                        at(22).waits(PAIR).see()))
                .isNotEmpty();
        assertThat(notHandedOver(
                        at(20).held("a", "h", 5).held("b", "h", 5).waits(PAIR).see(),
                        at(22).waits(PAIR).see()))
                .isNotEmpty();
    }

    @Test
    void lockIsKeptForOneWhoWaitsForAnotherAsWellAfterItsPatienceOnly() {
        assertThat(notHandedOver(
                        at(1020).held("a", "h", 5)
                                .held("b", "g", 5)
                                .waits(PAIR)
                                .waits(Y)
                                .see(),
                        at(1022).held("b", "g", 5).waits(PAIR).waits(Y).see()))
                .isEmpty();
        assertThat(notHandedOver(
                        at(1000).held("a", "h", 5)
                                .held("b", "g", 5)
                                .waits(PAIR)
                                .waits(Y)
                                .see(),
                        at(1002).held("b", "g", 5).waits(PAIR).waits(Y).see()))
                .hasSize(1);
        // nor is it for one who cannot be told
        assertThat(notHandedOver(
                        at(1020).held("a", "h", 5)
                                .held("b", "g", 5)
                                .waits(deaf(PAIR))
                                .waits(Y)
                                .see(),
                        at(1022).held("b", "g", 5).waits(deaf(PAIR)).waits(Y).see()))
                .hasSize(1);
    }

    @Test
    void tokensGrowAlsoAfterALossOfData() {
        assertThat(tokens(
                        at(20).held("a", "h", 5).see(),
                        at(22).held("a", "h", 5).see(),
                        at(24).held("a", "x", 23).see(),
                        later(90).held("a", "y", 80).see()))
                .isEmpty();
        assertThat(tokens(
                        at(20).held("a", "h", 5).see(), at(24).held("a", "x", 5).see()))
                .hasSize(1);
        assertThat(tokens(
                        at(20).held("a", "h", 15).see(),
                        at(21).see(),
                        later(90).held("a", "x", 14).see()))
                .hasSize(1);
    }

    private static List<String> passedOver(Sight... sights) {
        return checker(List.of(sights)).passedOver(List.of());
    }

    private static List<String> notHandedOver(Sight... sights) {
        return checker(List.of(sights)).notHandedOver();
    }

    private static List<String> tokens(Sight... sights) {
        return checker(List.of(sights)).tokensThatDoNotGrow();
    }

    private static TurnChecker checker(List<Sight> sights, Fault... faults) {
        return new TurnChecker(sights, LIVES, List.of(faults));
    }

    private static HistoryEvent event(long millis, Kind kind, String request, String name, long number) {
        return new HistoryEvent(nanos(millis), kind, "p", name, request, number, 0);
    }
}
