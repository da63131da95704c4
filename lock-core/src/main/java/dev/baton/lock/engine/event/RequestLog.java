package dev.baton.lock.engine.event;

import dev.baton.lock.LockListener;

/** The log of the requests of a process. Thread-safe; must not throw. */
public interface RequestLog {

    /** Logs nothing. */
    RequestLog SILENT = new RequestLog() {
        @Override
        public void waits() {
            // a log that warns of slow waits begins to watch here
        }

        @Override
        public boolean logsGrants() {
            return false;
        }

        @Override
        public void granted(LockListener.Granted event) {
            // no log asks for it
        }
    };

    /** A request that may wait is now among those of its engine. Called for each such request, so it has to be cheap. */
    void waits();

    /** Returns whether {@link #granted} would log anything. */
    boolean logsGrants();

    /** A lock was granted. */
    void granted(LockListener.Granted event);
}
