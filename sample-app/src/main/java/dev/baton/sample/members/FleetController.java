package dev.baton.sample.members;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Shows what all instances are doing. Each instance reports its own acts, and Redis the holders of the locks. */
@RestController
class FleetController {

    /** As in {@code web-3:4711/http-7}. */
    private static final Pattern PROCESS = Pattern.compile(".*:(\\d+)/.*");

    private final MembersProperties properties;
    private final MemberCalls calls;
    private final LockOperations locks;

    /** The number of each process that has ever answered: it may hold a lock when it does not answer any more. */
    private final Map<Long, Integer> numbers = new ConcurrentHashMap<>();

    FleetController(MembersProperties properties, MemberCalls calls, LockOperations locks) {
        this.properties = properties;
        this.calls = calls;
        this.locks = locks;
    }

    /** Takes as long as the slowest instance, at most two seconds, and Redis, at most {@code baton.command-timeout}. */
    @GetMapping("/fleet")
    FleetView fleet() {
        List<MemberCalls.Answer> answers = calls.ask();
        answers.stream()
                .filter(answer -> answer.body() != null)
                .forEach(answer -> numbers.put(answer.pid(), answer.number()));
        List<FleetView.Lock> held = List.of();
        String error = null;
        try {
            held = held();
        } catch (LockStoreException ex) {
            error = ex.getMessage();
        }
        List<Span> spans = spans(answers);
        long now = System.nanoTime();
        return new FleetView(
                properties.number(),
                error,
                instances(answers, held),
                held,
                spans.stream().map(span -> span.act(now)).toList(),
                overlaps(spans));
    }

    private List<FleetView.Lock> held() {
        try (Stream<LockState> all = locks.list("*")) {
            return all.limit(FleetView.MOST_LOCKS)
                    .flatMap(state -> state.holder().stream().map(holder -> lock(state, holder)))
                    .sorted(Comparator.comparing(FleetView.Lock::name))
                    .toList();
        }
    }

    private FleetView.Lock lock(LockState state, LockHolder holder) {
        return new FleetView.Lock(
                state.name(),
                party(holder.label(), holder.heldFor().toMillis()),
                holder.remaining().toMillis(),
                holder.fencingToken(),
                state.waiters().stream()
                        .map(waiter -> party(waiter.label(), waiter.waitedFor().toMillis()))
                        .toList(),
                state.waiting());
    }

    private FleetView.Party party(String label, long millis) {
        Matcher process = PROCESS.matcher(label);
        int instance = process.matches() ? numbers.getOrDefault(Long.valueOf(process.group(1)), 0) : 0;
        return new FleetView.Party(instance, label, millis);
    }

    private static List<FleetView.Instance> instances(List<MemberCalls.Answer> answers, List<FleetView.Lock> held) {
        return answers.stream()
                .map(answer -> new FleetView.Instance(
                        answer.number(),
                        answer.port(),
                        answer.pid(),
                        answer.error(),
                        traffic(answer.body()),
                        held.stream()
                                .filter(lock -> lock.holder().instance() == answer.number())
                                .map(FleetView.Lock::name)
                                .toList(),
                        held.stream()
                                .flatMap(lock -> lock.waiters().stream()
                                        .filter(waiter -> waiter.instance() == answer.number())
                                        .map(waiter -> lock.name()))
                                .toList()))
                .toList();
    }

    private static @Nullable JsonNode traffic(@Nullable JsonNode body) {
        return body == null ? null : body.path("traffic");
    }

    private static List<Span> spans(List<MemberCalls.Answer> answers) {
        List<Span> spans = new ArrayList<>();
        for (MemberCalls.Answer answer : answers) {
            if (answer.body() != null) {
                long at = answer.body().path("at").asLong();
                for (JsonNode act : answer.body().path("acts")) {
                    spans.add(Span.of(answer.number(), act, at));
                }
            }
        }
        spans.sort(Comparator.comparing(Span::server).thenComparingLong(Span::from));
        return spans;
    }

    /**
     * Seen from outside the lock: by when each act began and ended, on the clock that all processes here share. The instances answer
     * one after another, so an act that was under way may have ended before the act that the next one tells of began; of the two, no
     * more is known than that the first lasted until its instance answered.
     */
    private static long overlaps(List<Span> sorted) {
        long overlaps = 0;
        Map<String, Long> ends = new HashMap<>();
        for (Span span : sorted) {
            long end = ends.getOrDefault(span.server(), Long.MIN_VALUE);
            if (span.from() < end) {
                overlaps++;
            }
            ends.put(span.server(), Math.max(end, span.to()));
        }
        return overlaps;
    }

    /**
     * An act, by {@link System#nanoTime()}, which all processes of a machine read from the same clock.
     *
     * @param to when it ended; if it is going on, until when that is known
     */
    private record Span(int instance, String server, String kind, long from, long to, boolean goingOn) {

        static Span of(int instance, JsonNode act, long at) {
            long from = act.path("from").asLong();
            long to = act.path("to").asLong();
            boolean goingOn = to == Long.MAX_VALUE;
            return new Span(
                    instance,
                    act.path("server").asString(),
                    act.path("kind").asString(),
                    from,
                    goingOn ? Math.max(from, at) : to,
                    goingOn);
        }

        FleetView.Act act(long now) {
            long toAgo = goingOn ? 0 : Math.max(1, (now - to) / 1_000_000);
            return new FleetView.Act(instance, server, kind, Math.max(toAgo, (now - from) / 1_000_000), toAgo);
        }
    }
}
