package dev.baton.lock.engine.event;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Tells listeners; what they throw stays here. Without any it does nothing. */
public final class Announcements {

    static final Announcements NONE = new Announcements(List.of(), null);

    private static final Logger log = LoggerFactory.getLogger(Announcements.class);

    private final List<LockListener> listeners;
    private final @Nullable ApplicationEventPublisher publisher;

    /**
     * Creates it.
     *
     * @param publisher told of losses only; null: there is none
     */
    public Announcements(List<LockListener> listeners, @Nullable ApplicationEventPublisher publisher) {
        this.listeners = List.copyOf(listeners);
        this.publisher = publisher;
    }

    /** Whether anybody is told of anything. */
    boolean isHeard() {
        return !listeners.isEmpty() || publisher != null;
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    void lost(LockLostEvent event) {
        tell(listener -> listener.lost(event));
        ApplicationEventPublisher events = publisher;
        if (events != null) {
            try {
                events.publishEvent(event);
            } catch (Throwable ex) {
                failed("of the application event " + LockLostEvent.class.getSimpleName(), ex);
            }
        }
    }

    /** Errors too stay here: a lock that was granted must reach its caller, who releases it. */
    void tell(Consumer<LockListener> call) {
        for (LockListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (Throwable ex) {
                failed(listener.getClass().getName(), ex);
            }
        }
    }

    private static void failed(String who, Throwable ex) {
        log.error("A listener to locks failed: {}", who, ex);
    }
}
