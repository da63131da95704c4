package dev.baton.lock.test;

import dev.baton.lock.test.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The time in which a request believed to hold its lock.
 *
 * @param acquired where it began
 * @param end when it ended: told, or by the clock of the holder; {@link HistoryEvent#UNTIL_TOLD} if it did not
 */
public record Hold(HistoryEvent acquired, long end) {

    /** All holds of these events, which are in the order of their times. */
    static List<Hold> all(List<HistoryEvent> events) {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            HistoryEvent event = events.get(i);
            if (event.kind() == Kind.ACQUIRED) {
                holds.add(new Hold(event, end(event, events.subList(i + 1, events.size()))));
            }
        }
        return holds;
    }

    private static long end(HistoryEvent acquired, List<HistoryEvent> later) {
        long until = acquired.until();
        for (HistoryEvent event : later) {
            if (event.nanos() >= until) {
                return until;
            }
            if (event.endsHoldOf(acquired)) {
                return event.nanos();
            }
            if (event.kind() == Kind.RENEWED && event.isOfRequest(acquired)) {
                until = event.until();
            }
        }
        return until;
    }
}
