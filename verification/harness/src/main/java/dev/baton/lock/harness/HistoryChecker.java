package dev.baton.lock.harness;

import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Checks a recorded {@link History}. Every check is a pure function of the events, whose order in the list does not
 * matter, and finds all violations of its rule.
 */
public final class HistoryChecker {

    private HistoryChecker() {}

    /**
     * A broken rule.
     *
     * @param rule the rule, in words
     * @param first the earlier of the two conflicting events
     * @param second the later event
     */
    public record Violation(String rule, HistoryEvent first, HistoryEvent second) {

        /** Returns the rule and the two events, one line each. */
        @Override
        public String toString() {
            return rule + ":\n  " + first + "\n  " + second;
        }
    }

    /** Checks all rules: {@link #overlaps}, {@link #tokens} and {@link #order}. */
    public static List<Violation> violations(List<HistoryEvent> events) {
        return Stream.of(overlaps(events), tokens(events), order(events))
                .flatMap(List::stream)
                .toList();
    }

    /** Checks that no two requests hold a name at a time. A hold without an end lasts until the end of the history. */
    public static List<Violation> overlaps(List<HistoryEvent> events) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Hold> longest = new HashMap<>();
        for (Hold hold : Hold.all(byTime(events))) {
            HistoryEvent acquired = hold.acquired();
            Hold before = longest.get(acquired.name());
            if (before != null && acquired.nanos() < before.end()) {
                violations.add(
                        new Violation("Two hold '" + acquired.name() + "' at a time", before.acquired(), acquired));
            }
            if (before == null || hold.end() > before.end()) {
                longest.put(acquired.name(), hold);
            }
        }
        return violations;
    }

    /** Checks that each grant of a name has a greater token than the previous grant. */
    public static List<Violation> tokens(List<HistoryEvent> events) {
        List<Violation> violations = new ArrayList<>();
        Map<String, HistoryEvent> last = new HashMap<>();
        for (HistoryEvent event : byTime(events)) {
            if (event.kind() != Kind.ACQUIRED) {
                continue;
            }
            HistoryEvent before = last.put(event.name(), event);
            if (before != null && event.number() <= before.number()) {
                violations.add(new Violation("The tokens of '" + event.name() + "' do not grow", before, event));
            }
        }
        return violations;
    }

    /**
     * Checks first come, first served: no enqueued request is granted while an enqueued request of the same name with a
     * smaller arrival still waits. Requests that were never enqueued are not checked.
     */
    public static List<Violation> order(List<HistoryEvent> events) {
        List<Violation> violations = new ArrayList<>();
        List<HistoryEvent> waiting = new ArrayList<>();
        for (HistoryEvent event : byTime(events)) {
            switch (event.kind()) {
                case ENQUEUED -> waiting.add(event);
                case ACQUIRED ->
                    passedOver(waiting, event)
                            .ifPresent(first -> violations.add(new Violation(
                                    "'" + event.name() + "' passed over an earlier waiter", first, event)));
                case ASKED, RENEWED, RELEASED, LOST, GAVE_UP, DIED -> {
                    // these events grant no lock
                }
            }
            waiting.removeIf(event::endsWaitOf);
        }
        return violations;
    }

    private static Optional<HistoryEvent> passedOver(List<HistoryEvent> waiting, HistoryEvent granted) {
        OptionalLong arrival = waiting.stream()
                .filter(granted::isOfRequest)
                .mapToLong(HistoryEvent::number)
                .min();
        return waiting.stream()
                .filter(waiter -> arrival.isPresent() && waiter.number() < arrival.getAsLong())
                .filter(waiter -> waiter.name().equals(granted.name()))
                .min(Comparator.comparingLong(HistoryEvent::number));
    }

    private static List<HistoryEvent> byTime(List<HistoryEvent> events) {
        return events.stream()
                .sorted(Comparator.comparingLong(HistoryEvent::nanos))
                .toList();
    }
}
