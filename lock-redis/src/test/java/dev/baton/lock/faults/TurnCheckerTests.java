package dev.baton.lock.faults;

import static dev.baton.lock.faults.SnapshotBuilder.asking;
import static dev.baton.lock.faults.SnapshotBuilder.at;
import static dev.baton.lock.faults.SnapshotBuilder.deaf;
import static dev.baton.lock.faults.SnapshotBuilder.later;
import static dev.baton.lock.faults.SnapshotBuilder.micros;
import static dev.baton.lock.faults.SnapshotBuilder.nanos;
import static dev.baton.lock.faults.SnapshotBuilder.until;
import static dev.baton.lock.faults.SnapshotBuilder.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.faults.Snapshot.Waiter;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests correct histories, and the same histories with one violation. */
class TurnCheckerTests {

    private static final Waiter X = waiter("x", 10, "a");
    private static final Waiter Y = waiter("y", 11, "a");
    private static final Waiter PAIR = waiter("pair", 9, "a", "b");

    private static final Map<String, RequestTimeline> TIMELINES = RequestTimeline.all(List.of(
            event(1, Kind.ASKED, "h", "a", 0),
            event(1, Kind.ASKED, "x", "a", 0),
            event(1, Kind.ASKED, "y", "a", 0),
            event(1, Kind.ASKED, "pair", "a", 0),
            event(1, Kind.ASKED, "pair", "b", 0)));

    @Test
    void firstWaiterIsNotPassedOver() {
        Snapshot before = at(20).held("a", "h", 5).waits(X).waits(Y).see();
        assertThat(passedOver(before, at(22).held("a", "x", 21).waits(Y).see())).isEmpty();
        assertThat(passedOver(before, at(22).held("a", "y", 21).waits(X).see()))
                .singleElement()
                .asString()
                .contains("'a'")
                .contains("request=y")
                .contains("request=x");
    }

    @Test
    void newcomerDoesNotPassAWaiter() {
        Snapshot before = at(20).held("a", "h", 5).waits(X).see();
        assertThat(passedOver(before, at(22).held("a", "y", 21).waits(X).see())).hasSize(1);
    }

    @Test
    void grantKnownFromItsHolderOnlyIsJudged() {
        List<Snapshot> snapshots = List.of(
                at(20).held("a", "h", 5).waits(X).waits(Y).see(),
                at(24).waits(X).see());
        HistoryEvent told = event(23, Kind.ACQUIRED, "y", "a", micros(21));
        assertThat(checker(snapshots).passedOver(List.of(told))).hasSize(1);
    }

    @Test
    void deafSilentOrLateWaiterMayBePassed() {
        for (UnaryOperator<Waiter> other :
                List.<UnaryOperator<Waiter>>of(SnapshotBuilder::deaf, SnapshotBuilder::silent, SnapshotBuilder::late)) {
            Waiter first = other.apply(X);
            Snapshot before = at(20).held("a", "h", 5).waits(first).waits(Y).see();
            assertThat(passedOver(before, at(22).held("a", "y", 21).waits(first).see()))
                    .isEmpty();
        }
        Waiter asks = asking(X);
        Snapshot before = at(20).held("a", "h", 5).waits(asks).waits(Y).see();
        assertThat(passedOver(before, at(22).held("a", "y", 21).waits(asks).see()))
                .hasSize(1);
    }

    @Test
    void waiterThatWasOverForAMomentMayBePassed() {
        Waiter over = until(X, micros(21));
        Waiter again = until(X, micros(30));
        Snapshot before = at(20).held("a", "h", 5).waits(over).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .as("its recheck came late, and only then extended the deadline")
                .isEmpty();
        before = at(20).held("a", "h", 5).waits(again).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .hasSize(1);
    }

    @Test
    void latePollingWaiterMayBePassed() {
        Waiter late = asking(X, micros(21));
        Waiter again = asking(X, micros(30));
        Snapshot before = at(20).held("a", "h", 5).waits(late).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(late).see()))
                .isEmpty();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .as("the waiter has asked again meanwhile, perhaps after the grant")
                .isEmpty();
        before = at(20).held("a", "h", 5).waits(again).waits(Y).see();
        assertThat(passedOver(before, at(24).held("a", "y", 23).waits(again).see()))
                .hasSize(1);
    }

    @Test
    void disconnectedWaiterMayBePassed() {
        List<Snapshot> snapshots = List.of(
                at(20).held("a", "h", 5).waits(X).waits(Y).see(),
                at(22).held("a", "y", 21).waits(X).see());
        assertThat(checker(snapshots, new Fault("p", nanos(19), nanos(30))).passedOver(List.of()))
                .isEmpty();
        assertThat(checker(snapshots, new Fault("", nanos(19), nanos(30))).passedOver(List.of()))
                .isEmpty();
        assertThat(checker(snapshots, new Fault("q", nanos(19), nanos(30))).passedOver(List.of()))
                .hasSize(1);
    }

    @Test
    void waiterForSeveralLocksMayBePassedDuringItsPatienceOnly() {
        Snapshot before = at(1000).held("a", "h", 5).waits(PAIR).waits(Y).see();
        assertThat(passedOver(before, at(1002).held("a", "y", 1001).waits(PAIR).see()))
                .isEmpty();
        before = at(1020).held("a", "h", 5).waits(PAIR).waits(Y).see();
        assertThat(passedOver(before, at(1022).held("a", "y", 1021).waits(PAIR).see()))
                .hasSize(1);
    }

    @Test
    void waiterForSeveralLocksDoesNotPassAWaiter() {
        Waiter pair = waiter("pair", 12, "a", "b");
        Snapshot before = at(20).held("a", "h", 5).waits(X).waits(pair).see();
        assertThat(passedOver(
                        before,
                        at(22).held("a", "pair", 21)
                                .held("b", "pair", 21)
                                .waits(X)
                                .see()))
                .hasSize(1);
    }

    @Test
    void releasedLockIsHandedOver() {
        Snapshot before = at(20).held("a", "h", 5).waits(X).see();
        assertThat(notHandedOver(before, at(22).held("a", "x", 21).see())).isEmpty();
        assertThat(notHandedOver(before, at(22).see())).isEmpty();
        assertThat(notHandedOver(before, at(22).waits(X).see()))
                .singleElement()
                .asString()
                .contains("request=h")
                .contains("request=x");
    }

    @Test
    void expiredLockIsNotHandedOver() {
        Snapshot before = at(20).held("a", "h", 5, 3).waits(X).see();
        assertThat(notHandedOver(before, at(22).waits(X).see())).isEmpty();
    }

    @Test
    void lockIsHandedToAWaiterForSeveralOnlyIfAllAreFree() {
        Snapshot before = at(20).held("a", "h", 5).held("b", "g", 5).waits(PAIR).see();
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
    void lockIsKeptForAWaiterForSeveralAfterItsPatienceOnly() {
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
        // the lock is not kept for a deaf waiter
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
    void tokensGrowAfterALossOfData() {
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

    private static List<String> passedOver(Snapshot... snapshots) {
        return checker(List.of(snapshots)).passedOver(List.of());
    }

    private static List<String> notHandedOver(Snapshot... snapshots) {
        return checker(List.of(snapshots)).notHandedOver();
    }

    private static List<String> tokens(Snapshot... snapshots) {
        return checker(List.of(snapshots)).tokensThatDoNotGrow();
    }

    private static TurnChecker checker(List<Snapshot> snapshots, Fault... faults) {
        return new TurnChecker(snapshots, TIMELINES, List.of(faults));
    }

    private static HistoryEvent event(long millis, Kind kind, String request, String name, long number) {
        return new HistoryEvent(nanos(millis), kind, "p", name, request, number, 0);
    }
}
