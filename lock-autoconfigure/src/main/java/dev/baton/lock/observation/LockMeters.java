package dev.baton.lock.observation;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and measures what a template tells, as {@link LockMeter} says. The meters of a scope are registered when it is first
 * asked for; their number does not depend on that of the locks. Thread-safe.
 */
public final class LockMeters implements LockListener {

    /** The scope of those that have no meters of their own. */
    public static final String OTHER = "other";

    private static final Logger log = LoggerFactory.getLogger(LockMeters.class);

    private final MeterRegistry registry;
    private final int maxScopes;
    private final boolean histogram;
    private final ConcurrentHashMap<String, ScopeMeters> scopes = new ConcurrentHashMap<>();
    private final AtomicInteger known = new AtomicInteger();
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Creates them; none is registered yet.
     *
     * @param maxScopes how many scopes have meters of their own, at least 1; those that come later are {@value #OTHER}
     * @param histogram whether the timers publish a percentile histogram
     * @throws IllegalArgumentException if {@code maxScopes} is less than 1
     */
    public LockMeters(MeterRegistry registry, int maxScopes, boolean histogram) {
        if (maxScopes < 1) {
            throw new IllegalArgumentException("max scopes of " + maxScopes + " is too small; use at least 1");
        }
        this.registry = registry;
        this.maxScopes = maxScopes;
        this.histogram = histogram;
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
    public void rechecked(Rechecked event) {
        of(event.request()).rechecks.increment();
    }

    private ScopeMeters of(Request request) {
        ScopeMeters own = scopes.get(request.scope());
        return own != null ? own : first(request.scope());
    }

    private ScopeMeters first(String scope) {
        ScopeMeters own = scopes.computeIfAbsent(scope, fresh -> hasRoom() ? meters(fresh) : null);
        if (own != null) {
            return own;
        }
        if (warned.compareAndSet(false, true)) {
            log.warn(
                    "There are more than {} scopes (baton.metrics.max-scopes); '{}' and those that come later share the meters of"
                            + " scope '{}'. Give what varies to the key, not to the scope",
                    maxScopes,
                    scope,
                    OTHER);
        }
        return scopes.computeIfAbsent(OTHER, this::meters);
    }

    /** A scope never leaves its place, so none goes on under another name. */
    private boolean hasRoom() {
        return known.getAndUpdate(count -> Math.min(count + 1, maxScopes)) < maxScopes;
    }

    private ScopeMeters meters(String scope) {
        return new ScopeMeters(registry, scope, histogram);
    }
}
