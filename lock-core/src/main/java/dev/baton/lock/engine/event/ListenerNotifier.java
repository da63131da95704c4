package dev.baton.lock.engine.event;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Calls the listeners of this process and logs what they throw. */
public final class ListenerNotifier {

    static final ListenerNotifier NONE = new ListenerNotifier(List.of(), null, RequestLog.SILENT);

    private static final Logger log = LoggerFactory.getLogger(ListenerNotifier.class);

    private final List<LockListener> listeners;
    private final @Nullable ApplicationEventPublisher publisher;
    private final RequestLog requestLog;

    /**
     * Creates a notifier.
     *
     * @param publisher receives losses only, or {@code null} if there is none
     * @param requestLog logs grants and slow waits, whether there are listeners or not
     */
    public ListenerNotifier(
            List<LockListener> listeners, @Nullable ApplicationEventPublisher publisher, RequestLog requestLog) {
        this.listeners = List.copyOf(listeners);
        this.publisher = publisher;
        this.requestLog = requestLog;
    }

    RequestLog requestLog() {
        return requestLog;
    }

    /** Returns whether a listener or a publisher hears of a loss. */
    boolean hearsLosses() {
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
                failed("a listener of the application event " + LockLostEvent.class.getSimpleName(), ex);
            }
        }
    }

    /**
     * Calls each listener and logs what it throws, errors included: a granted lock must reach its caller, which
     * releases it.
     */
    void tell(Consumer<LockListener> call) {
        for (LockListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (Throwable ex) {
                failed(listener.getClass().getName(), ex);
            }
        }
    }

    private static void failed(String listener, Throwable ex) {
        log.error("A lock listener failed: {}", listener, ex);
    }
}
