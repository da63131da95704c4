package dev.baton.lock.harness;

import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The time during which a request treated its lock as held.
 *
 * @param acquired the event that began the hold
 * @param end the time when the hold ended, by an event or by the clock of the holder; {@link HistoryEvent#UNTIL_TOLD}
 *     if the hold did not end
 */
public record Hold(HistoryEvent acquired, long end) {

    /** Returns all holds of these events, which must be in the order of their times. */
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
