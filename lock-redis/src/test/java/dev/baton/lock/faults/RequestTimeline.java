package dev.baton.lock.faults;

import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The times at which each kind of event first happened to one request, as recorded by its process, in nanoTime. */
final class RequestTimeline {

    private static final long NEVER = Long.MAX_VALUE;

    private final String request;
    private final String process;
    private final List<String> names = new ArrayList<>();
    private final Map<Kind, Long> first = new EnumMap<>(Kind.class);

    private RequestTimeline(String request, String process) {
        this.request = request;
        this.process = process;
    }

    /** Returns the timelines by request. */
    static Map<String, RequestTimeline> all(List<HistoryEvent> events) {
        Map<String, RequestTimeline> timelines = new LinkedHashMap<>();
        for (HistoryEvent event : events) {
            if (event.kind() != Kind.DIED) {
                timelines
                        .computeIfAbsent(event.request(), request -> new RequestTimeline(request, event.process()))
                        .add(event);
            }
        }
        for (HistoryEvent event : events) {
            if (event.kind() == Kind.DIED) {
                timelines.values().stream()
                        .filter(timeline -> timeline.process.equals(event.process()))
                        .forEach(timeline -> timeline.first.merge(Kind.DIED, event.nanos(), Math::min));
            }
        }
        return timelines;
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

    /** Returns when the request began to wait. */
    long asked() {
        return at(Kind.ASKED);
    }

    /** Returns when the request stopped waiting, for any reason. */
    long waited() {
        return Math.min(Math.min(at(Kind.ACQUIRED), at(Kind.GAVE_UP)), Math.min(at(Kind.RELEASED), at(Kind.DIED)));
    }

    /** Returns when the request was over: released, or given up without a grant. */
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
