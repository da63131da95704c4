package dev.baton.lock.board;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockState;
import dev.baton.lock.actuate.NameView;
import dev.baton.lock.actuate.WaitCycles;
import dev.baton.lock.support.CurrentLocks;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Converts lock states to the rows of the board. Thread-safe. */
final class BoardRows {

    private static final int MOST_ROWS = 200;
    private static final int MOST_QUEUED = 25;
    private static final int ID_CHARACTERS = 24;
    private static final String MAC = "HmacSHA256";

    private final SecretKeySpec secret;
    private final String instance;
    private final NameView names;

    BoardRows(NameView names) {
        SecureRandom random = new SecureRandom();
        byte[] key = new byte[32];
        random.nextBytes(key);
        this.secret = new SecretKeySpec(key, MAC);
        this.instance = Long.toHexString(random.nextLong());
        this.names = names;
    }

    /** Returns the id of this run of this process. A page that receives another id has reached another process. */
    String instance() {
        return instance;
    }

    /** Returns the id that names a lock to this process. A reader of the id cannot use it to test guessed keys. */
    String id(LockState state) {
        return id(state.namespace(), state.name(), state.isSemaphore());
    }

    private String id(String namespace, String name, boolean semaphore) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(secret);
            byte[] bytes = mac.doFinal(
                    ((semaphore ? "permits\n" : "lock\n") + namespace + "\n" + name).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(bytes).substring(0, ID_CHARACTERS);
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException(MAC + ", which every Java platform has, is missing", ex);
        }
    }

    String shown(LockState state) {
        return names.of(state.name());
    }

    BoardView of(Map<String, LockState> locks, CurrentLocks current, boolean listening, boolean complete) {
        Set<Long> tokens =
                current.held().stream().map(CurrentLocks.Current::fencingToken).collect(Collectors.toSet());
        Map<String, List<BoardView.Condition>> conditions = conditions(current.atConditions());
        List<BoardView.Row> rows = locks.entrySet().stream()
                .filter(lock -> lock.getValue().isLocked()
                        || lock.getValue().waiting() > 0
                        || conditions.containsKey(lock.getKey()))
                .map(lock ->
                        row(lock.getKey(), lock.getValue(), tokens, conditions.getOrDefault(lock.getKey(), List.of())))
                .sorted(Comparator.comparingLong(BoardView.Row::waiting)
                        .thenComparingLong(BoardRows::heldMillis)
                        .reversed())
                .toList();
        return new BoardView(
                null,
                listening,
                complete,
                Math.max(0, rows.size() - MOST_ROWS),
                rows.stream().limit(MOST_ROWS).toList(),
                WaitCycles.in(locks.values()).stream().map(this::circle).toList());
    }

    /** Returns the view of what this process knows without the store: its own leases and requests. */
    BoardView withoutStore(String problem, CurrentLocks current) {
        List<BoardView.Row> rows = Stream.of(
                        current.held().stream().flatMap(lease -> own(lease, true)),
                        current.waiting().stream().flatMap(request -> own(request, false)),
                        current.atConditions().stream().map(this::own))
                .flatMap(some -> some)
                .toList();
        return new BoardView(
                problem,
                false,
                false,
                Math.max(0, rows.size() - MOST_ROWS),
                rows.stream().limit(MOST_ROWS).toList(),
                List.of());
    }

    private Stream<BoardView.Row> own(CurrentLocks.Current one, boolean held) {
        LockListener.Request request = one.request();
        long millis = one.lasting().toMillis();
        LockPermits permits = request.permits();
        List<String> shown = shown(request);
        return Stream.iterate(0, i -> i < shown.size(), i -> i + 1)
                .map(i -> new BoardView.Row(
                        ownId(request, i),
                        request.namespace(),
                        shown.get(i),
                        held ? new BoardView.Holder(request.label(), true, one.fencingToken(), millis, -1) : null,
                        held ? 0 : 1,
                        held ? List.of() : List.of(new BoardView.Waiter(request.label(), millis)),
                        permits == null ? null : new BoardView.Permits(permits.size(), -1),
                        List.of()));
    }

    private BoardView.Row own(CurrentLocks.AtCondition one) {
        return new BoardView.Row(
                ownId(one.request(), 0),
                one.request().namespace(),
                shown(one.request()).get(0),
                null,
                0,
                List.of(),
                null,
                List.of(new BoardView.Condition(one.condition(), 1)));
    }

    /** Returns an id that no other row has: several requests of this process may hold one lock, or wait for it. */
    private String ownId(LockListener.Request request, int i) {
        return id(request.namespace(), request.names().get(i), request.permits() != null) + "-" + request.id();
    }

    private List<String> shown(LockListener.Request request) {
        return names == NameView.SHOWN ? request.names() : names.of(request.names(), request.scope());
    }

    /** Returns the conditions that requests await, by the id of the lock. */
    private Map<String, List<BoardView.Condition>> conditions(List<CurrentLocks.AtCondition> all) {
        Map<String, Map<String, Long>> counts = all.stream()
                .collect(Collectors.groupingBy(
                        one -> id(
                                one.request().namespace(), one.request().names().get(0), false),
                        Collectors.groupingBy(
                                CurrentLocks.AtCondition::condition, TreeMap::new, Collectors.counting())));
        Map<String, List<BoardView.Condition>> conditions = new HashMap<>();
        counts.forEach((id, some) -> conditions.put(
                id,
                some.entrySet().stream()
                        .map(one -> new BoardView.Condition(one.getKey(), one.getValue()))
                        .toList()));
        return conditions;
    }

    private BoardView.Row row(String id, LockState state, Set<Long> tokens, List<BoardView.Condition> conditions) {
        return new BoardView.Row(
                id,
                state.namespace(),
                names.of(state.name()),
                state.holder()
                        .map(holder -> holder(state, holder, tokens.contains(holder.fencingToken())))
                        .orElse(null),
                state.waiting(),
                state.waiters().stream()
                        .limit(MOST_QUEUED)
                        .map(waiter -> new BoardView.Waiter(
                                waiter.label(), waiter.waitedFor().toMillis()))
                        .toList(),
                state.permits()
                        .map(permits -> new BoardView.Permits(permits.size().orElse(-1), permits.used()))
                        .orElse(null),
                conditions);
    }

    /** Describes the holder. Of several readers or holders of permits, one is named, and the others are counted. */
    private static BoardView.Holder holder(LockState state, LockHolder holder, boolean here) {
        int others = state.readers().size() - 1;
        String one = state.isSemaphore() ? " other" : " reader";
        return new BoardView.Holder(
                others > 0 ? holder.label() + " and " + others + one + (others == 1 ? "" : "s") : holder.label(),
                here,
                holder.fencingToken(),
                holder.heldFor().toMillis(),
                holder.remaining().toMillis());
    }

    private static long heldMillis(BoardView.Row row) {
        return row.holder() == null ? 0 : row.holder().heldMillis();
    }

    private List<BoardView.Member> circle(List<WaitCycles.Edge> cycle) {
        List<BoardView.Member> members = new ArrayList<>(cycle.size());
        for (int i = 0; i < cycle.size(); i++) {
            WaitCycles.Edge edge = cycle.get(i);
            WaitCycles.Edge before = cycle.get((i + cycle.size() - 1) % cycle.size());
            members.add(new BoardView.Member(edge.label(), names.of(before.waitsFor()), names.of(edge.waitsFor())));
        }
        return members;
    }
}
