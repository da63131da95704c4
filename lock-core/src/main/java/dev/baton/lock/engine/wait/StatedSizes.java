package dev.baton.lock.engine.wait;

import dev.baton.lock.LockPermits;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.LockName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once per semaphore if fewer permits may be in use than this process states. Thread-safe. */
final class StatedSizes {

    private static final Logger log = LoggerFactory.getLogger(StatedSizes.class);

    /** An application may name very many semaphores, for example one per customer. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Set<LockName> warned = ConcurrentHashMap.newKeySet();

    void saw(Ticket ticket, Busy answer) {
        LockPermits stated = ticket.spec().permits();
        if (stated != null
                && answer.size() >= 0
                && answer.size() < stated.size()
                && warned.size() < MOST_REMEMBERED
                && warned.add(ticket.names().get(0))) {
            log.warn(
                    "Semaphore '{}' has {} permits, and this process states {}: another process states fewer, or an operator"
                            + " has set the size. Use the same number everywhere; after a deployment the smaller one lasts"
                            + " until no process states it any more",
                    ticket.title(),
                    answer.size(),
                    stated.size());
        }
    }
}
