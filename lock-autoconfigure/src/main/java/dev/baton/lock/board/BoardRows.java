package dev.baton.lock.board;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.actuate.NameView;
import dev.baton.lock.actuate.WaitCycles;
import dev.baton.lock.support.CurrentLocks;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        return id(state.namespace(), state.name());
    }

    private String id(String namespace, String name) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(secret);
            byte[] bytes = mac.doFinal((namespace + "\n" + name).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(bytes).substring(0, ID_CHARACTERS);
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException(MAC + ", which every Java platform has, is missing", ex);
        }
    }

    String shown(LockState state) {
        return names.of(state.name());
    }

    BoardView of(Map<String, LockState> locks, List<CurrentLocks.Current> held, boolean listening, boolean complete) {
        Set<Long> tokens = held.stream().map(CurrentLocks.Current::fencingToken).collect(Collectors.toSet());
        List<BoardView.Row> rows = locks.entrySet().stream()
                .filter(lock -> lock.getValue().isLocked() || lock.getValue().waiting() > 0)
                .map(lock -> row(lock.getKey(), lock.getValue(), tokens))
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
    BoardView withoutStore(String problem, List<CurrentLocks.Current> held, List<CurrentLocks.Current> waiting) {
        List<BoardView.Row> rows = Stream.concat(
                        held.stream().flatMap(lease -> own(lease, true)),
                        waiting.stream().flatMap(request -> own(request, false)))
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
        String label = one.request().label();
        String namespace = one.request().namespace();
        long millis = one.lasting().toMillis();
        List<String> own = one.request().names();
        List<String> shown =
                names == NameView.SHOWN ? own : names.of(own, one.request().scope());
        return Stream.iterate(0, i -> i < own.size(), i -> i + 1)
                .map(i -> new BoardView.Row(
                        id(namespace, own.get(i))
                                + (held ? "" : "-" + one.request().id()),
                        namespace,
                        shown.get(i),
                        held ? new BoardView.Holder(label, true, one.fencingToken(), millis, -1) : null,
                        held ? 0 : 1,
                        held ? List.of() : List.of(new BoardView.Waiter(label, millis))));
    }

    private BoardView.Row row(String id, LockState state, Set<Long> tokens) {
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
                        .toList());
    }

    /** Describes the holder. Of several readers, the last one is named, and the others are counted. */
    private static BoardView.Holder holder(LockState state, LockHolder holder, boolean here) {
        int others = state.readers().size() - 1;
        return new BoardView.Holder(
                others > 0
                        ? holder.label() + " and " + others + (others == 1 ? " reader" : " readers")
                        : holder.label(),
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
