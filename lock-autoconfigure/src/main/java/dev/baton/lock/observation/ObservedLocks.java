package dev.baton.lock.observation;

import dev.baton.lock.Lease;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An observation per execution, around the wait and the work, with the grant as an event: what comes before it in the span was the
 * wait. A wait that timed out is no error of the observation. Thread-safe.
 */
public final class ObservedLocks implements LockObserver {

    /** The event of the grant. */
    public static final Observation.Event GRANTED = Observation.Event.of("baton.granted", "lock granted");

    private final ObservationRegistry registry;
    private final LockObservationConvention convention;

    public ObservedLocks(ObservationRegistry registry, LockObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public Execution begin(LockRequest request) {
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
            boolean granted = context.getFencingToken() != 0;
            if (!granted && failure instanceof LockTimeoutException ex) {
                context.notGranted("timeout", ex.getWaited(), ex.getHolder().orElse(null));
            } else if (!granted && failure == null) {
                context.notGranted("timeout", Duration.ZERO, null);
            } else if (failure != null) {
                if (!granted) {
                    context.notGranted("error", Duration.ZERO, null);
                }
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
