package dev.baton.lock.test;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.time.EngineTimer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies one process, on a thread of the store, in the order of the events. */
final class MemoryInbox {

    private static final Logger log = LoggerFactory.getLogger(MemoryInbox.class);

    private final GrantInbox inbox;
    private final EngineTimer thread;
    private volatile boolean listening;

    MemoryInbox(GrantInbox inbox, EngineTimer thread) {
        this.inbox = inbox;
        this.thread = thread;
    }

    boolean isListening() {
        return listening;
    }

    void listen() {
        listening = true;
        tell(inbox::listening);
    }

    void deafen() {
        listening = false;
    }

    /** Reports a grant. The number is that of a request that shares locks, or 0. */
    void granted(List<LockName> names, String id, long token, long number) {
        if (number == 0) {
            tell(() -> inbox.granted(names, id, token));
        } else {
            tell(() -> inbox.granted(names, id, token, number));
        }
    }

    void revoked(List<LockName> names, String id, long token) {
        tell(() -> inbox.revoked(names, id, token));
    }

    void wanted(LockName name, String id) {
        tell(() -> inbox.wanted(name, id));
    }

    void stop() {
        listening = false;
        thread.stop();
    }

    private void tell(Runnable message) {
        if (!listening) {
            return;
        }
        try {
            thread.schedule(message, 0);
        } catch (RejectedExecutionException ex) {
            log.debug("A process stopped before it was notified of a lock", ex);
        }
    }
}
