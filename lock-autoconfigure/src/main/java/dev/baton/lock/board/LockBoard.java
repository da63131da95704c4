package dev.baton.lock.board;

import dev.baton.lock.LockHolder;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the locks for the page, and takes one away. However many look, the store is asked by one of them at a time and at most twice a
 * second; the others are shown what it was answered. Thread-safe.
 */
public final class LockBoard {

    /** So many pages, of about a thousand keys each, are gone through for one look. */
    private static final int MOST_PAGES = 5;

    /** Of more requests of this process than these the store is not asked in one look. */
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
     * Creates it.
     *
     * @param current a listener of the template
     * @param history another one
     * @param names how names are shown
     * @param lease how long a lease is by default
     * @param forceRelease whether locks may be taken away
     * @param audit told of each that was
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

    /** What became of a force-release. */
    enum Outcome {
        /** It was taken away. */
        RELEASED,
        /** Nobody held it any more. */
        FREE,
        /** Another than the one who was seen holds it. */
        CHANGED,
        /** It was not seen at the last look. */
        UNKNOWN,
        /** The board may not. */
        FORBIDDEN
    }

    /** All of it, as JSON. */
    byte[] json() {
        return BoardJson.write(rows.instance(), lease, forceRelease, look(), history);
    }

    /** Waits for the store at most a few command time-outs. Throws nothing if it cannot be asked. */
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
     * Takes a lock away from a holder.
     *
     * @param id of a row of the last look
     * @param token of the holder that was seen: another one keeps the lock. This is looked up before, not in one step
     * @param who asks for it, for the log and the audit; null: not known
     * @throws LockStoreException if the store could not be asked
     */
    Outcome forceRelease(String id, long token, @Nullable String who) {
        Look seen = last;
        LockState lock = seen == null ? null : seen.locks().get(id);
        if (!forceRelease) {
            return Outcome.FORBIDDEN;
        }
        if (lock == null) {
            return Outcome.UNKNOWN;
        }
        LockState before = template.administration().inspect(lock.name(), lock.namespace());
        Optional<LockHolder> holder = before.holder();
        if (holder.isEmpty()) {
            return Outcome.FREE;
        }
        if (holder.get().fencingToken() != token) {
            return Outcome.CHANGED;
        }
        boolean released = template.administration().forceRelease(lock.name(), lock.namespace());
        last = null;
        audit.released(who, before, released);
        if (released) {
            log.warn(
                    "Lock '{}' was taken from {} on the board, by {}",
                    LockNames.printable(rows.shown(lock)),
                    holder.get(),
                    who == null ? "somebody unknown" : LockNames.printable(who));
        }
        return released ? Outcome.RELEASED : Outcome.FREE;
    }

    private Look ask() {
        Map<String, LockState> locks = new LinkedHashMap<>();
        String problem = null;
        boolean complete = false;
        try {
            template.administration()
                    .inspectAll(Stream.concat(current.waiting().stream(), current.held().stream())
                            .map(CurrentLocks.Current::request)
                            .limit(MOST_ASKED)
                            .toList())
                    .forEach(state -> locks.put(rows.id(state), state));
            complete = everybodys(locks);
        } catch (LockStoreException ex) {
            problem = StoreProblem.of(ex);
        }
        List<CurrentLocks.Current> held = current.held();
        BoardView view = problem == null
                ? rows.of(locks, held, template.isListening(), complete)
                : rows.withoutStore(problem, held, current.waiting());
        return new Look(view, Map.copyOf(locks), System.nanoTime());
    }

    /** False: there are keys that were not gone through. */
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
