package dev.baton.lock.faults;

import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When what happened to one request for the first time, as its process tells it; in nanoTime. */
final class Life {

    private static final long NEVER = Long.MAX_VALUE;

    private final String request;
    private final String process;
    private final List<String> names = new ArrayList<>();
    private final Map<Kind, Long> first = new EnumMap<>(Kind.class);

    private Life(String request, String process) {
        this.request = request;
        this.process = process;
    }

    /** By request. */
    static Map<String, Life> all(List<HistoryEvent> events) {
        Map<String, Life> lives = new LinkedHashMap<>();
        for (HistoryEvent event : events) {
            if (event.kind() != Kind.DIED) {
                lives.computeIfAbsent(event.request(), request -> new Life(request, event.process()))
                        .add(event);
            }
        }
        for (HistoryEvent event : events) {
            if (event.kind() == Kind.DIED) {
                lives.values().stream()
                        .filter(life -> life.process.equals(event.process()))
                        .forEach(life -> life.first.merge(Kind.DIED, event.nanos(), Math::min));
            }
        }
        return lives;
    }

    private void add(HistoryEvent event) {
        first.merge(event.kind(), event.nanos(), Math::min);
        if (!names.contains(event.name())) {
            names.add(event.name());
        }
    }

    String request() {
        return request;
    }

    String process() {
        return process;
    }

    List<String> names() {
        return names;
    }

    /** When it began to wait. */
    long asked() {
        return at(Kind.ASKED);
    }

    /** When it waited no longer, whatever for. */
    long waited() {
        return Math.min(Math.min(at(Kind.ACQUIRED), at(Kind.GAVE_UP)), Math.min(at(Kind.RELEASED), at(Kind.DIED)));
    }

    /** When it was over: given back, or given up without having been granted. */
    long over() {
        long ended = Math.min(at(Kind.RELEASED), at(Kind.DIED));
        return first.containsKey(Kind.ACQUIRED) ? ended : Math.min(ended, at(Kind.GAVE_UP));
    }

    boolean hasDied() {
        return first.containsKey(Kind.DIED);
    }

    private long at(Kind kind) {
        return first.getOrDefault(kind, NEVER);
    }

    @Override
    public String toString() {
        return request + " " + names + " " + first;
    }
}
