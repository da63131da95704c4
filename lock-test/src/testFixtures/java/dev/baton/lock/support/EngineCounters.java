package dev.baton.lock.support;

import dev.baton.lock.engine.LockEngine;
import java.util.Objects;

/** What an engine still has to do, for tests of other packages. */
public final class EngineCounters {

    private EngineCounters() {}

    /** Requests of which Redis may still know something. */
    public static int openRequests(LockTemplate locks) {
        return Objects.requireNonNull(locks.engine()).openRequests();
    }

    /** Chosen owners with a request under way. */
    public static int sharedOwners(LockTemplate locks) {
        return locks.acquirer().sharedOwners();
    }

    /** Names with a waiter. */
    public static int awaitedNames(LockTemplate locks) {
        return Objects.requireNonNull(locks.engine()).awaitedNames();
    }

    /** Requests that wait. */
    public static int waiters(LockTemplate locks) {
        return Objects.requireNonNull(locks.engine()).waiters();
    }

    /** Requests that have their place: a request that begins to wait now comes after them. */
    public static int placed(LockTemplate locks) {
        return Objects.requireNonNull(locks.engine()).placed();
    }

    /** Tasks that are scheduled and not due yet. */
    public static int timers(LockTemplate locks) {
        return Objects.requireNonNull(locks.engine()).executors().pending();
    }

    /** Callbacks that no thread runs yet; none if the template has stopped. */
    public static int waitingCallbacks(LockTemplate locks) {
        LockEngine engine = locks.engine();
        return engine == null ? 0 : engine.executors().waitingCallbacks();
    }

    /** Returns how many requests await conditions, as the store has answered. */
    public static int awaiting(LockTemplate template) {
        LockEngine engine = template.engine();
        return engine == null ? 0 : engine.awaiting();
    }
}
