package dev.baton.lock.observation;

import dev.baton.lock.Lease;
import dev.baton.lock.LockListener.Ended.Reason;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Creates an observation per lock request, around the wait and the work, or around the wait and the life of the lease.
 * The grant is an event of the observation: the part of the span before the event is the wait. A wait that times out is
 * not an error of the observation. Thread-safe.
 */
public final class ObservedLocks implements LockObserver {

    /** The event that marks the grant. */
    public static final Observation.Event GRANTED = Observation.Event.of("baton.granted", "lock granted");

    private static final Execution UNOBSERVED = new Unobserved();

    private final ObservationRegistry registry;
    private final LockObservationConvention convention;

    public ObservedLocks(ObservationRegistry registry, LockObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public Execution begin(LockRequest request) {
        if (registry.isNoop()) {
            return UNOBSERVED;
        }
        LockObservationContext context = new LockObservationContext(request);
        return new ObservedExecution(
                Observation.createNotStarted(convention, () -> context, registry)
                        .start(),
                context);
    }

    private record ObservedExecution(Observation observation, LockObservationContext context) implements Execution {

        @Override
        public Scope open() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }

        @Override
        public void granted(Lease lease) {
            context.granted(lease.waited(), lease.waitedFor().orElse(null), lease.fencingToken());
            observation.event(GRANTED);
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            boolean granted = context.isGranted();
            boolean late = !granted && (failure == null || failure instanceof LockTimeoutException);
            if (!granted) {
                notGranted(failure);
            }
            if (failure != null && !late) {
                observation.error(failure);
            }
            observation.stop();
        }

        private void notGranted(@Nullable Throwable failure) {
            if (failure instanceof LockTimeoutException ex) {
                context.notGranted("timeout", ex.waited(), ex.holder().orElse(null));
            } else {
                context.notGranted(
                        failure == null ? "timeout" : LockMeter.outcome(Reason.of(failure)), Duration.ZERO, null);
            }
        }
    }

    /** Observes nothing, for a registry without handlers. */
    private static final class Unobserved implements Execution {

        private static final Scope SCOPE = () -> {};

        @Override
        public Scope open() {
            return SCOPE;
        }

        @Override
        public void granted(Lease lease) {}

        @Override
        public void ended(@Nullable Throwable failure) {}
    }
}
