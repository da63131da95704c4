package dev.baton.lock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTests {

    private final History history = new History();

    @Test
    void recordsEachEventWithItsTime() {
        long start = System.nanoTime();
        history.enqueued("p", "n", "r", 7);
        history.acquired("p", "n", "r", 100);
        history.acquired("p", "n", "r2", 101, 500);
        history.renewed("p", "n", "r2", 600);
        history.released("p", "n", "r2");
        history.lost("p", "n", "r");
        history.gaveUp("p", "n", "r3");
        history.died("p");
        assertThat(history.events())
                .extracting(HistoryEvent::kind)
                .containsExactly(
                        Kind.ENQUEUED,
                        Kind.ACQUIRED,
                        Kind.ACQUIRED,
                        Kind.RENEWED,
                        Kind.RELEASED,
                        Kind.LOST,
                        Kind.GAVE_UP,
                        Kind.DIED);
        assertThat(history.events())
                .extracting(HistoryEvent::number)
                .containsExactly(7L, 100L, 101L, 0L, 0L, 0L, 0L, 0L);
        assertThat(history.events())
                .extracting(HistoryEvent::until)
                .startsWith(0L, HistoryEvent.UNTIL_TOLD, 500L, 600L);
        assertThat(history.events())
                .allSatisfy(event -> assertThat(event.nanos()).isBetween(start, System.nanoTime()));
    }

    @Test
    void eventsOfOtherProcessesAreSortedByTime() {
        HistoryEvent late = new HistoryEvent(20, Kind.RELEASED, "p", "n", "r", 0, 0);
        HistoryEvent early = new HistoryEvent(10, Kind.ACQUIRED, "p", "n", "r", 1, 30);
        history.add(late);
        history.add(HistoryEvent.parse(early.toLine()));
        assertThat(history.events()).isEqualTo(List.of(early, late));
    }

    @Test
    void lineKeepsEverythingIncludingEmptyFields() {
        HistoryEvent died = new HistoryEvent(-5, Kind.DIED, "p", "", "", 0, 0);
        HistoryEvent acquired = new HistoryEvent(1, Kind.ACQUIRED, "p", "a b:{c}", "i:1", Long.MAX_VALUE, -1);
        assertThat(HistoryEvent.parse(died.toLine())).isEqualTo(died);
        assertThat(HistoryEvent.parse(acquired.toLine())).isEqualTo(acquired);
    }

    @Test
    void invalidTextIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HistoryEvent.parse("hello"))
                .withMessageContaining("'hello'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HistoryEvent(1, Kind.LOST, "p", "a\tb", "r", 0, 0))
                .withMessageContaining("name")
                .withMessageContaining("a\tb");
    }
}
