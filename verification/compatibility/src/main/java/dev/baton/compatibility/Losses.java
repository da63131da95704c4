package dev.baton.compatibility;

import dev.baton.lock.LockLostEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Notes which leases this application has lost. */
@Component
class Losses {

    private final Queue<LockLostEvent> events = new ConcurrentLinkedQueue<>();

    @EventListener
    void lost(LockLostEvent event) {
        events.add(event);
    }

    Queue<LockLostEvent> events() {
        return events;
    }
}
