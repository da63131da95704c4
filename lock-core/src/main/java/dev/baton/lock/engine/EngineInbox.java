package dev.baton.lock.engine;

import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import java.util.List;

/** Finds the requests that messages of the store are about, and has the messages handled. Thread-safe; never waits. */
public final class EngineInbox implements GrantInbox {

    private final RequestRegistry registry;
    private final EngineExecutors executors;
    private final AcquireDispatcher dispatcher;
    private final LeaseMonitor leases;
    private final EndDispatcher ends;
    private final WantedLocks wanted;

    EngineInbox(
            RequestRegistry registry,
            EngineExecutors executors,
            AcquireDispatcher dispatcher,
            LeaseMonitor leases,
            EndDispatcher ends,
            WantedLocks wanted) {
        this.registry = registry;
        this.executors = executors;
        this.dispatcher = dispatcher;
        this.leases = leases;
        this.ends = ends;
        this.wanted = wanted;
    }

    /** Starts a store that sends its messages here. */
    void start(LockStore store, String instance) {
        ends.reportTo(this);
        store.start(instance, this);
    }

    @Override
    public void granted(List<LockName> names, String id, long token) {
        granted(names, id, token, token);
    }

    @Override
    public void granted(List<LockName> names, String id, long token, long number) {
        Ticket ticket = registry.find(id);
        if (ticket == null) {
            endForgotten(names, id);
        } else if (ticket.names().equals(names)) {
            dispatcher.told(ticket, token, number);
        } else {
            dispatcher.doubted(ticket);
        }
    }

    /**
     * Ends an earlier request that was granted a lock but no longer wants it. Requests of other processes are left
     * alone.
     */
    private void endForgotten(List<LockName> names, String id) {
        if (registry.isOurs(id)) {
            executors.onAsker(0, () -> ends.end(names, id));
        }
    }

    @Override
    public void handedOver(List<LockName> names, String id, long token, long sentAt) {
        Ticket ticket = registry.find(id);
        if (ticket != null) {
            dispatcher.handedOver(ticket, token, sentAt);
        } else {
            endForgotten(names, id);
        }
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        Ticket ticket = registry.find(id);
        if (ticket == null) {
            return;
        }
        if (ticket.names().containsAll(names) && dispatcher.isPlausible(token)) {
            leases.revoked(ticket, token);
        } else {
            dispatcher.doubted(ticket);
        }
    }

    /** Ignores a message that does not name a request of this process: another process can only guess. */
    @Override
    public void wanted(LockName name, String id) {
        if (registry.isOurs(id)) {
            executors.onAsker(0, () -> wanted.requested(name));
        }
    }

    @Override
    public void doubtful(List<LockName> names, String id) {
        Ticket ticket = registry.find(id);
        if (ticket != null) {
            dispatcher.doubted(ticket);
        }
    }

    @Override
    public void listening() {
        dispatcher.listening();
    }

    @Override
    public void freed(LockName name) {
        dispatcher.freed(name);
    }

    @Override
    public void answerLost(LockName name) {
        dispatcher.answerLost(name);
    }
}
