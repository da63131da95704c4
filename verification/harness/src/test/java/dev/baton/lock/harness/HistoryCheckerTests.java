package dev.baton.lock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.lock.harness.HistoryChecker.Violation;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCheckerTests {

    private static final long ALWAYS = HistoryEvent.UNTIL_TOLD;

    /** Two processes hold one lock in turn. The request b arrived first and is granted first. */
    private static final List<HistoryEvent> GOOD = List.of(
            event(10, Kind.ACQUIRED, "p1", "a", 100, ALWAYS),
            event(11, Kind.ENQUEUED, "p2", "b", 1, 0),
            event(12, Kind.ENQUEUED, "p1", "c", 2, 0),
            event(13, Kind.ENQUEUED, "p2", "d", 3, 0),
            event(20, Kind.RELEASED, "p1", "a", 0, 0),
            event(21, Kind.ACQUIRED, "p2", "b", 101, 60),
            event(30, Kind.GAVE_UP, "p1", "c", 0, 0),
            event(40, Kind.RENEWED, "p2", "b", 0, 90),
            event(80, Kind.RELEASED, "p2", "b", 0, 0),
            event(81, Kind.ACQUIRED, "p2", "d", 102, ALWAYS));

    @Test
    void goodHistoryHasNoViolation() {
        assertThat(HistoryChecker.violations(GOOD)).isEmpty();
        assertThat(HistoryChecker.violations(List.of())).isEmpty();
    }

    @Test
    void orderOfRecordingDoesNotMatter() {
        List<HistoryEvent> reversed = new ArrayList<>(GOOD);
        Collections.reverse(reversed);
        assertThat(HistoryChecker.violations(reversed)).isEmpty();
    }

    @Test
    void grantDuringAHoldIsAnOverlap() {
        List<HistoryEvent> bad = with(GOOD, event(19, Kind.ACQUIRED, "p3", "x", 100, ALWAYS));
        assertThat(HistoryChecker.overlaps(bad))
                .extracting(Violation::first, Violation::second)
                .contains(tuple(GOOD.get(0), bad.get(bad.size() - 1)));
        assertThat(HistoryChecker.violations(bad)).isNotEmpty();
    }

    @Test
    void holdWithoutAnEndOverlapsEveryLaterHold() {
        List<HistoryEvent> bad = without(GOOD, Kind.RELEASED, "a");
        assertThat(HistoryChecker.overlaps(bad))
                .extracting(Violation::second)
                .containsExactly(GOOD.get(5), GOOD.get(9));
    }

    @Test
    void shortHoldWithinALongHoldDoesNotHideTheLongHold() {
        List<HistoryEvent> bad = List.of(
                event(10, Kind.ACQUIRED, "p1", "a", 1, 100),
                event(20, Kind.ACQUIRED, "p2", "b", 2, 30),
                event(40, Kind.ACQUIRED, "p2", "c", 3, 50));
        assertThat(HistoryChecker.overlaps(bad)).extracting(Violation::first).containsExactly(bad.get(0), bad.get(0));
    }

    @Test
    void leaseExpiredByTheClockOfTheHolderIsNoHold() {
        List<HistoryEvent> paused = List.of(
                event(10, Kind.ACQUIRED, "p1", "a", 1, 30),
                event(31, Kind.ACQUIRED, "p2", "b", 2, 60),
                event(35, Kind.LOST, "p1", "a", 0, 0));
        assertThat(HistoryChecker.overlaps(paused)).isEmpty();
    }

    @Test
    void renewalMovesTheEndOfTheHold() {
        List<HistoryEvent> renewed = List.of(
                event(10, Kind.ACQUIRED, "p1", "a", 1, 30),
                event(20, Kind.RENEWED, "p1", "a", 0, 50),
                event(31, Kind.ACQUIRED, "p2", "b", 2, 60));
        assertThat(HistoryChecker.overlaps(renewed))
                .extracting(Violation::first)
                .containsExactly(renewed.get(0));
    }

    @Test
    void renewalAfterTheEndDoesNotReviveTheHold() {
        List<HistoryEvent> late = List.of(
                event(10, Kind.ACQUIRED, "p1", "a", 1, 30),
                event(32, Kind.RENEWED, "p1", "a", 0, 50),
                event(33, Kind.ACQUIRED, "p2", "b", 2, 60));
        assertThat(HistoryChecker.overlaps(late)).isEmpty();
    }

    @Test
    void deadProcessHoldsNothing() {
        List<HistoryEvent> crash = List.of(
                event(10, Kind.ACQUIRED, "p1", "a", 1, ALWAYS),
                new HistoryEvent(15, Kind.DIED, "p1", "", "", 0, 0),
                event(20, Kind.ACQUIRED, "p2", "b", 2, ALWAYS));
        assertThat(HistoryChecker.violations(crash)).isEmpty();
        assertThat(HistoryChecker.overlaps(without(crash, Kind.DIED, ""))).hasSize(1);
    }

    @Test
    void sameTokenTwiceDoesNotGrow() {
        List<HistoryEvent> bad = replaced(GOOD, 9, event(81, Kind.ACQUIRED, "p2", "d", 101, ALWAYS));
        assertThat(HistoryChecker.tokens(bad))
                .containsExactly(new Violation("The tokens of 'orders.1' do not grow", GOOD.get(5), bad.get(9)));
        assertThat(HistoryChecker.violations(bad)).hasSize(1);
    }

    @Test
    void smallerTokenDoesNotGrow() {
        List<HistoryEvent> bad = replaced(GOOD, 9, event(81, Kind.ACQUIRED, "p2", "d", 7, ALWAYS));
        assertThat(HistoryChecker.tokens(bad)).hasSize(1);
    }

    @Test
    void laterArrivalGrantedFirstIsOutOfOrder() {
        List<HistoryEvent> bad = replaced(GOOD, 1, event(11, Kind.ENQUEUED, "p2", "b", 9, 0));
        assertThat(HistoryChecker.order(bad))
                .containsExactly(new Violation("'orders.1' passed over an earlier waiter", GOOD.get(2), GOOD.get(5)));
        assertThat(HistoryChecker.violations(bad)).hasSize(1);
    }

    @Test
    void waiterThatGaveUpOrDiedIsNotPassedOver() {
        List<HistoryEvent> impatient = without(GOOD, Kind.GAVE_UP, "c");
        assertThat(HistoryChecker.order(impatient)).extracting(Violation::first).containsExactly(GOOD.get(2));
        assertThat(HistoryChecker.order(with(impatient, new HistoryEvent(70, Kind.DIED, "p1", "", "", 0, 0))))
                .isEmpty();
    }

    @Test
    void requestThatWasNeverQueuedIsNotCheckedForOrder() {
        List<HistoryEvent> lucky = with(GOOD, event(20, Kind.ACQUIRED, "p3", "x", 100, 20));
        assertThat(HistoryChecker.order(lucky)).isEmpty();
    }

    @Test
    void namesAreCheckedSeparately() {
        List<HistoryEvent> two = List.of(
                event(10, Kind.ACQUIRED, "p1", "a", 9, ALWAYS),
                event(11, Kind.ENQUEUED, "p1", "b", 1, 0),
                new HistoryEvent(12, Kind.ENQUEUED, "p2", "orders.2", "b", 2, 0),
                new HistoryEvent(13, Kind.ACQUIRED, "p2", "orders.2", "b", 8, ALWAYS));
        assertThat(HistoryChecker.violations(two)).isEmpty();
    }

    @Test
    void messageShowsBothEvents() {
        assertThat(new Violation("Rule", GOOD.get(0), GOOD.get(5))).hasToString("""
            Rule:
              ACQUIRED 'orders.1' by p1/a at 10 ns token 100
              ACQUIRED 'orders.1' by p2/b at 21 ns token 101 until 60\
            """);
    }

    private static HistoryEvent event(long nanos, Kind kind, String process, String request, long number, long until) {
        return new HistoryEvent(nanos, kind, process, "orders.1", request, number, until);
    }

    private static List<HistoryEvent> with(List<HistoryEvent> events, HistoryEvent added) {
        List<HistoryEvent> result = new ArrayList<>(events);
        result.add(added);
        return result;
    }

    private static List<HistoryEvent> without(List<HistoryEvent> events, Kind kind, String request) {
        return events.stream()
                .filter(event -> event.kind() != kind || !event.request().equals(request))
                .toList();
    }

    private static List<HistoryEvent> replaced(List<HistoryEvent> events, int index, HistoryEvent other) {
        List<HistoryEvent> result = new ArrayList<>(events);
        result.set(index, other);
        return result;
    }
}
