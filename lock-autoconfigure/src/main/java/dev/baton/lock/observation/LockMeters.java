package dev.baton.lock.observation;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * Counts and measures the events of a template with the meters of {@link LockMeter}. The meters of a scope are
 * registered on the first event of the scope, or before by {@link #declare}. The number of meters does not depend on
 * the number of locks. Thread-safe.
 */
public final class LockMeters implements LockListener {

    /** The tag value that scopes without meters of their own share. */
    public static final String OTHER = BoundedScopes.OTHER;

    private final BoundedScopes<ModeMeters> scopes;

    /**
     * Creates the listener; no meter is registered yet.
     *
     * @param maxScopes the number of scopes with meters of their own, at least 1; later scopes are {@value #OTHER}
     * @param histogram whether the timers publish a percentile histogram
     * @throws IllegalArgumentException if {@code maxScopes} is less than 1
     */
    public LockMeters(MeterRegistry registry, int maxScopes, boolean histogram) {
        this.scopes = new BoundedScopes<>(
                maxScopes,
                scope -> new ModeMeters(mode -> new ScopeMeters(registry, scope, mode, histogram)),
                LoggerFactory.getLogger(LockMeters.class),
                "meters");
    }

    /**
     * Registers the meters of the scopes of these requests, which then show zeros, as far as there is room. Scopes take
     * their places in alphabetical order. A scope without a place has the meters of {@value #OTHER} from its first
     * event on. Does nothing for scopes that have meters already.
     */
    public void declare(Collection<LockRequest> requests) {
        requests.stream()
                .sorted(Comparator.comparing(LockMeters::scope))
                .forEach(request -> scopes.own(scope(request))
                        .ifPresent(meters -> meters.of(request.mode()).declare()));
    }

    @Override
    public void asked(Asked event) {
        of(event.request()).current.asked(event);
    }

    @Override
    public void granted(Granted event) {
        ScopeMeters meters = of(event.request());
        meters.current.granted(event);
        meters.granted(event.waited());
    }

    @Override
    public void timedOut(TimedOut event) {
        ScopeMeters meters = of(event.request());
        meters.current.timedOut(event);
        meters.ended("timeout", event.waited());
    }

    @Override
    public void ended(Ended event) {
        ScopeMeters meters = of(event.request());
        meters.current.ended(event);
        meters.ended(LockMeter.outcome(event.reason()), event.waited());
    }

    @Override
    public void released(Released event) {
        ScopeMeters meters = of(event.request());
        meters.current.released(event);
        meters.hold.record(event.heldFor());
        event.handedOver().forEach(meters::handedOver);
    }

    @Override
    public void lost(LockLostEvent event) {
        ScopeMeters meters = of(event.request());
        meters.current.lost(event);
        meters.hold.record(event.heldFor());
        meters.lost.increment();
    }

    @Override
    public void stolen(Stolen event) {
        of(event.request()).stolen.increment();
    }

    @Override
    public void rechecked(Rechecked event) {
        of(event.request()).rechecks.increment();
    }

    private ScopeMeters of(Request request) {
        return scopes.of(request.scope()).of(request.mode());
    }

    private static String scope(LockRequest request) {
        return LockObservationContext.scope(request.targets());
    }

    /** The meters of one scope, by mode. A mode has none before its first request. */
    private static final class ModeMeters {

        private final Map<LockMode, ScopeMeters> meters = new ConcurrentHashMap<>();
        private final Function<LockMode, ScopeMeters> making;

        ModeMeters(Function<LockMode, ScopeMeters> making) {
            this.making = making;
        }

        ScopeMeters of(LockMode mode) {
            ScopeMeters known = meters.get(mode);
            return known != null ? known : meters.computeIfAbsent(mode, making);
        }
    }
}
