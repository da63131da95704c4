package dev.baton.lock.faults;

import static dev.baton.lock.faults.SnapshotBuilder.at;
import static dev.baton.lock.faults.SnapshotBuilder.deaf;
import static dev.baton.lock.faults.SnapshotBuilder.later;
import static dev.baton.lock.faults.SnapshotBuilder.nanos;
import static dev.baton.lock.faults.SnapshotBuilder.silent;
import static dev.baton.lock.faults.SnapshotBuilder.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.faults.Snapshot.Waiter;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that each delay of a waiter is found with its kind and its length. */
class WakeUpCheckerTests {

    private static final Waiter X = waiter("x", 10, "a");
    private static final Waiter Y = waiter("y", 11, "a");
    private static final Waiter PAIR = waiter("pair", 9, "a", "b");

    private static final List<HistoryEvent> X_WAITS = List.of(event(10, Kind.ASKED, "x", "a"));

    @Test
    void waitBehindAHolderAndAGrantInTurnAreNoDelay() {
        List<HistoryEvent> events = List.of(
                event(10, Kind.ASKED, "x", "a"),
                event(22, Kind.ACQUIRED, "x", "a"),
                event(25, Kind.RELEASED, "x", "a"));
        assertThat(delays(
                        events,
                        at(20).held("a", "h", 5).waits(X).see(),
                        at(24).held("a", "x", 21).see(),
                        at(26).see()))
                .isEmpty();
    }

    @Test
    void freeLockWithADueWaiterIsNotGranted() {
        assertThat(delays(
                        X_WAITS,
                        at(20).held("a", "h", 5).waits(X).see(),
                        at(30).waits(X).see(),
                        at(90).waits(X).see(),
                        at(150).waits(X).see(),
                        at(160).held("a", "h", 155).waits(X).see()))
                .containsExactly("NOT_GRANTED x 120");
    }

    @Test
    void freeLockWithADeafWaiterIsNotGranted() {
        assertThat(delays(
                        X_WAITS,
                        at(30).waits(deaf(X)).see(),
                        at(90).waits(deaf(X)).see()))
                .containsExactly("NOT_GRANTED x 60");
    }

    @Test
    void holdInBetweenSplitsTheDelay() {
        assertThat(delays(
                        X_WAITS,
                        at(30).waits(X).see(),
                        at(60).waits(X).see(),
                        at(70).held("a", "h", 65).waits(X).see(),
                        at(80).waits(X).see(),
                        at(90).waits(X).see()))
                .containsExactly("NOT_GRANTED x 30", "NOT_GRANTED x 10");
    }

    @Test
    void lockIsKeptForAWaiterForSeveralLocks() {
        List<HistoryEvent> events = List.of(
                event(9, Kind.ASKED, "pair", "a"), event(9, Kind.ASKED, "pair", "b"), event(11, Kind.ASKED, "y", "a"));
        assertThat(delays(
                        events,
                        at(1020).held("b", "g", 5).waits(PAIR).waits(Y).see(),
                        at(1070).held("b", "g", 5).waits(PAIR).waits(Y).see()))
                .containsExactly("KEPT y 50");
        // the waiter for several locks is within its patience
        assertThat(delays(
                        events,
                        at(920).held("b", "g", 5).waits(PAIR).waits(Y).see(),
                        at(970).held("b", "g", 5).waits(PAIR).waits(Y).see()))
                .containsExactly("NOT_GRANTED y 50");
        // the waiter for several locks is silent
        Waiter dead = silent(PAIR);
        assertThat(delays(
                        events.subList(2, 3),
                        at(1020).held("b", "g", 5).waits(dead).waits(Y).see(),
                        at(1070).held("b", "g", 5).waits(dead).waits(Y).see()))
                .containsExactly("NOT_GRANTED y 50");
        // the waiter for several locks is due
        assertThat(delays(
                        events,
                        at(1020).waits(PAIR).waits(Y).see(),
                        at(1070).waits(PAIR).waits(Y).see()))
                .containsExactlyInAnyOrder("NOT_GRANTED pair 50", "KEPT y 50");
    }

    @Test
    void waiterThatIsNotInAllItsQueuesIsNotQueued() {
        assertThat(delays(
                        X_WAITS,
                        at(20).see(),
                        at(60).see(),
                        at(62).waits(X).held("a", "h", 61).see()))
                .containsExactly("NOT_QUEUED x 40");
        List<HistoryEvent> pair = List.of(event(9, Kind.ASKED, "pair", "a"), event(9, Kind.ASKED, "pair", "b"));
        assertThat(delays(
                        pair,
                        at(20).waits("pair", 9, "a").held("a", "h", 5).see(),
                        at(60).waits("pair", 9, "a").held("a", "h", 5).see()))
                .containsExactly("NOT_QUEUED pair 40");
    }

    @Test
    void unnoticedGrantIsNotNotified() {
        List<HistoryEvent> told = List.of(event(10, Kind.ASKED, "x", "a"), event(75, Kind.ACQUIRED, "x", "a"));
        assertThat(delays(
                        told,
                        at(20).held("a", "x", 19).see(),
                        at(70).held("a", "x", 19).see(),
                        at(80).held("a", "x", 19).see()))
                .containsExactly("NOT_NOTIFIED x 50");
    }

    @Test
    void holderOrWaiterThatIsOverIsNotGone() {
        for (Kind end : List.of(Kind.RELEASED, Kind.GAVE_UP)) {
            List<HistoryEvent> events = with(X_WAITS, event(15, end, "x", "a"));
            assertThat(delays(
                            events,
                            at(20).held("a", "x", 12).see(),
                            at(70).held("a", "x", 12).see(),
                            at(80).see()))
                    .containsExactly("NOT_GONE x 50");
            assertThat(delays(
                            events,
                            at(20).held("a", "h", 5).waits(X).see(),
                            at(70).held("a", "h", 5).waits(X).see()))
                    .containsExactly("NOT_GONE x 50");
            // a silent waiter does not block others
            assertThat(delays(
                            events,
                            at(20).held("a", "h", 5).waits(silent(X)).see(),
                            at(70).held("a", "h", 5).waits(silent(X)).see()))
                    .isEmpty();
        }
    }

    @Test
    void waiterThatGaveUpAndWasGrantedIsNotOver() {
        List<HistoryEvent> events =
                with(with(X_WAITS, event(15, Kind.GAVE_UP, "x", "a")), event(16, Kind.ACQUIRED, "x", "a"));
        assertThat(delays(
                        events,
                        at(20).held("a", "x", 14).see(),
                        at(70).held("a", "x", 14).see()))
                .isEmpty();
    }

    @Test
    void deadHolderIsNotGone() {
        List<HistoryEvent> events = with(X_WAITS, new HistoryEvent(nanos(15), Kind.DIED, "p", "", "", 0, 0));
        assertThat(delays(
                        events,
                        at(20).held("a", "x", 14).see(),
                        at(70).held("a", "x", 14).see()))
                .containsExactly("NOT_GONE x 50");
    }

    @Test
    void restartAndALongGapStartANewDelay() {
        assertThat(delays(
                        X_WAITS,
                        at(30).waits(X).see(),
                        at(60).waits(X).see(),
                        later(90).waits(X).see(),
                        later(100).waits(X).see(),
                        later(300).waits(X).see(),
                        later(320).waits(X).see()))
                .containsExactly("NOT_GRANTED x 30", "NOT_GRANTED x 10", "NOT_GRANTED x 20");
    }

    private static List<String> delays(List<HistoryEvent> events, Snapshot... snapshots) {
        return new WakeUpChecker(List.of(snapshots), RequestTimeline.all(events))
                .delays().stream()
                        .map(lasted -> lasted.delay() + " " + lasted.timeline().request() + " "
                                + lasted.time().toMillis())
                        .toList();
    }

    private static List<HistoryEvent> with(List<HistoryEvent> events, HistoryEvent one) {
        List<HistoryEvent> more = new ArrayList<>(events);
        more.add(one);
        return more;
    }

    private static HistoryEvent event(long millis, Kind kind, String request, String name) {
        return new HistoryEvent(nanos(millis), kind, "p", name, request, 0, 0);
    }
}
