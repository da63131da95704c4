package dev.baton.lock.support;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Tells listeners; what they throw stays here. Without any it does nothing. */
final class Announcements {

    private static final Logger log = LoggerFactory.getLogger(Announcements.class);

    private final List<LockListener> listeners;
    private final @Nullable ApplicationEventPublisher publisher;

    /**
     * Creates it.
     *
     * @param publisher told of losses only; null: there is none
     */
    Announcements(List<LockListener> listeners, @Nullable ApplicationEventPublisher publisher) {
        this.listeners = List.copyOf(listeners);
        this.publisher = publisher;
    }

    void granted(Claim claim, Grant grant, Entry entry) {
        tell(() -> {
            LockListener.Granted event = new LockListener.Granted(
                    namespace(claim.names),
                    names(claim.names),
                    claim.owner,
                    grant.token,
                    entry.waited(),
                    entry.contended(),
                    entry.attempts());
            return listener -> listener.granted(event);
        });
    }

    void timedOut(List<LockName> names, String owner, LockTimeoutException ex) {
        tell(() -> {
            LockListener.TimedOut event = new LockListener.TimedOut(
                    namespace(names),
                    names(names),
                    owner,
                    ex.getWaited(),
                    ex.getHolder().orElse(null));
            return listener -> listener.timedOut(event);
        });
    }

    void released(Claim claim, Grant grant, long now) {
        tell(() -> {
            LockListener.Released event = new LockListener.Released(
                    namespace(claim.names), names(claim.names), claim.owner, grant.token, heldFor(grant, now));
            return listener -> listener.released(event);
        });
    }

    /** From now on a loss of the claim is told, in one of these threads. */
    void awaitLoss(Claim claim, Grant grant, EngineThreads threads) {
        if (!listeners.isEmpty() || publisher != null) {
            claim.lost.thenRun(() -> threads.callBack(() -> lost(claim, grant)));
        }
    }

    private void lost(Claim claim, Grant grant) {
        Claim.Over over = (Claim.Over) claim.phase();
        LockLostEvent event = new LockLostEvent(
                namespace(claim.names),
                names(claim.names),
                claim.owner,
                grant.token,
                heldFor(grant, over.at()),
                over.reason());
        tell(() -> listener -> listener.lost(event));
        ApplicationEventPublisher events = publisher;
        if (events != null) {
            guarded(
                    () -> events.publishEvent(event),
                    "of the application event " + LockLostEvent.class.getSimpleName());
        }
    }

    private void tell(Supplier<Consumer<LockListener>> event) {
        if (listeners.isEmpty()) {
            return;
        }
        Consumer<LockListener> call = event.get();
        for (LockListener listener : listeners) {
            guarded(() -> call.accept(listener), listener.getClass().getName());
        }
    }

    /** Errors too: a lock that was granted must reach its caller, who releases it. */
    private static void guarded(Runnable call, String who) {
        try {
            call.run();
        } catch (Throwable ex) {
            log.error("A listener to locks failed: {}", who, ex);
        }
    }

    private static Duration heldFor(Grant grant, long until) {
        return Duration.ofNanos(Math.max(0, until - grant.grantedAt));
    }

    private static String namespace(List<LockName> names) {
        return names.get(0).namespace();
    }

    private static List<String> names(List<LockName> names) {
        return names.stream().map(LockName::name).toList();
    }
}
