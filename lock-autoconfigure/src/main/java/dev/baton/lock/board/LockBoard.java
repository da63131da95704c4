package dev.baton.lock.board;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockPage;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.actuate.NameView;
import dev.baton.lock.actuate.StoreProblem;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inspects the locks for the page, and force-releases a lock. While there is an earlier result, one caller at a time
 * asks the store, at most twice a second, and other callers get that result. Without one, at the start and after a
 * force-release, each caller asks the store. Thread-safe.
 */
public final class LockBoard {

    /** Maximum number of pages, of about a thousand keys each, that one look scans. */
    private static final int MOST_PAGES = 5;

    /** Maximum number of requests of this process about which one look asks the store. */
    private static final int MOST_ASKED = 256;

    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Logger log = LoggerFactory.getLogger(LockBoard.class);

    private final LockTemplate template;
    private final CurrentLocks current;
    private final BoardHistory history;
    private final BoardRows rows;
    private final Duration lease;
    private final boolean forceRelease;
    private final BoardAudit audit;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile @Nullable Look last;

    /**
     * Creates a board.
     *
     * @param current the current locks, a listener of the template
     * @param history the history, also a listener of the template
     * @param names how names are shown
     * @param lease the default length of a lease
     * @param forceRelease whether locks may be force-released
     * @param audit records each force-release
     */
    public LockBoard(
            LockTemplate template,
            CurrentLocks current,
            BoardHistory history,
            NameView names,
            Duration lease,
            boolean forceRelease,
            BoardAudit audit) {
        this.template = template;
        this.current = current;
        this.history = history;
        this.rows = new BoardRows(names);
        this.lease = lease;
        this.forceRelease = forceRelease;
        this.audit = audit;
    }

    /** The result of a force-release. */
    enum Outcome {
        /** The lock was force-released. */
        RELEASED,
        /** The lock was no longer held. */
        FREE,
        /** The lock has another holder than the one that was seen. */
        CHANGED,
        /** The lock was not seen at the last look. */
        UNKNOWN,
        /** The board is not permitted to force-release locks. */
        FORBIDDEN
    }

    /** Returns the whole board as JSON. */
    byte[] json() {
        return BoardJson.write(rows.instance(), lease, forceRelease, look(), history);
    }

    /** Waits for the store at most a few command time-outs. Throws nothing if the store cannot be asked. */
    BoardView look() {
        Look before = last;
        boolean mine = before == null || before.isOver() ? looking.compareAndSet(false, true) : false;
        if (before != null && !mine) {
            return before.view();
        }
        try {
            Look fresh = ask();
            last = fresh;
            return fresh.view();
        } finally {
            if (mine) {
                looking.set(false);
            }
        }
    }

    /**
     * Force-releases a lock.
     *
     * @param id the id of a row of the last look
     * @param token the fencing token of the holder that was seen. Another holder keeps the lock. The token is checked
     *     before the release, not atomically with the release
     * @param user the user that asks for the release, for the log and the audit, or {@code null} if not known
     * @throws LockStoreException if the store could not be asked
     */
    Outcome forceRelease(String id, long token, @Nullable String user) {
        Look seen = last;
        LockState lock = seen == null ? null : seen.locks().get(id);
        if (!forceRelease) {
            return Outcome.FORBIDDEN;
        }
        if (lock == null) {
            return Outcome.UNKNOWN;
        }
        LockState before = template.administration().inspect(lock.name(), lock.namespace(), lock.isSemaphore());
        Optional<LockHolder> holder = before.holder();
        if (holder.isEmpty()) {
            return Outcome.FREE;
        }
        if (holder.get().fencingToken() != token) {
            return Outcome.CHANGED;
        }
        boolean released = template.administration().forceRelease(lock.name(), lock.namespace(), lock.isSemaphore());
        last = null;
        audit.released(user, before, released);
        if (released) {
            log.warn(
                    "Lock '{}', held by {}, was force-released on the board by {}",
                    LockNames.printable(rows.shown(lock)),
                    holder.get(),
                    user == null ? "an unknown user" : LockNames.printable(user));
        }
        return released ? Outcome.RELEASED : Outcome.FREE;
    }

    private Look ask() {
        Map<String, LockState> locks = new LinkedHashMap<>();
        String problem = null;
        boolean complete = false;
        try {
            template.administration()
                    .inspectAll(own().limit(MOST_ASKED).toList())
                    .forEach(state -> locks.put(rows.id(state), state));
            complete = everybodys(locks);
        } catch (LockStoreException ex) {
            problem = StoreProblem.of(ex);
        }
        BoardView view = problem == null
                ? rows.of(locks, current, template.isListening(), complete)
                : rows.withoutStore(problem, current);
        return new Look(view, Map.copyOf(locks), System.nanoTime());
    }

    /** Returns the requests of this process. */
    private Stream<LockListener.Request> own() {
        return Stream.of(
                        current.waiting().stream().map(CurrentLocks.Current::request),
                        current.held().stream().map(CurrentLocks.Current::request),
                        current.atConditions().stream().map(CurrentLocks.AtCondition::request))
                .flatMap(requests -> requests);
    }

    /** Adds the locks of all processes. Returns {@code false} if some keys were not scanned. */
    private boolean everybodys(Map<String, LockState> locks) {
        String cursor = LockPage.START;
        for (int i = 0; i < MOST_PAGES; i++) {
            LockPage page = template.administration().page("*", null, cursor);
            page.locks().forEach(state -> locks.put(rows.id(state), state));
            if (page.next().isEmpty()) {
                return true;
            }
            cursor = page.next().get();
        }
        return false;
    }

    private record Look(BoardView view, Map<String, LockState> locks, long at) {

        boolean isOver() {
            return System.nanoTime() - at > FRESH_NANOS;
        }
    }
}
