package dev.baton.lock.support;

import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Attaches the observer to executions and leases. Does nothing if there is no observer. */
final class ObservationSupport {

    private final @Nullable LockObserver observer;

    ObservationSupport(@Nullable LockObserver observer) {
        this.observer = observer;
    }

    /** Acquires the lock and does the work. */
    @FunctionalInterface
    interface Call<R extends @Nullable Object, T extends @Nullable Object, E extends Exception> {

        /**
         * Acquires the lock and does the work.
         *
         * @param refused called with the time-out if the lock was not granted and the time-out is not thrown to the
         *     caller
         */
        R with(LockRequest request, LockCallback<T, E> action, Consumer<LockTimeoutException> refused) throws E;
    }

    <R extends @Nullable Object, T extends @Nullable Object, E extends Exception> R execute(
            LockRequest request, LockCallback<T, E> action, Call<R, T, E> call) throws E {
        if (observer == null) {
            return call.with(request, action, timeout -> {});
        }
        Told told = new Told(observer.begin(request));
        LockObserver.Scope scope = told.execution.open();
        try {
            return call.with(
                    request,
                    lease -> {
                        told.execution.granted(lease);
                        return action.doWithLock(lease);
                    },
                    timeout -> told.failure = timeout);
        } catch (Throwable thrown) {
            told.failure = thrown;
            throw thrown;
        } finally {
            scope.close();
            told.execution.ended(told.failure);
        }
    }

    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work, AsyncExecution locks) {
        if (observer == null) {
            return locks.execute(request, work);
        }
        LockObserver.Execution execution = observer.begin(request);
        CompletableFuture<T> result = locks.execute(request, lease -> {
            execution.granted(lease);
            try (LockObserver.Scope scope = execution.open()) {
                return work.doWithLock(lease);
            }
        });
        // a caller that cancels must reach the work: return result, not the stage that whenComplete creates
        result.whenComplete(
                (value, failure) -> execution.ended(failure == null ? null : AsyncAcquisition.unwrapped(failure)));
        return result;
    }

    /**
     * Acquires a lease and observes it until the lease is over. The observation is the thread's current one while the
     * thread waits.
     */
    DefaultLease acquire(LockRequest request, Function<LockRequest, DefaultLease> acquiring) {
        if (observer == null) {
            return acquiring.apply(request);
        }
        LeaseObservation observation = new LeaseObservation(observer.begin(request));
        DefaultLease lease;
        try (LockObserver.Scope waiting = observation.openWait()) {
            lease = acquiring.apply(request);
        } catch (Throwable thrown) {
            observation.ended(thrown);
            throw thrown;
        }
        observation.granted(lease);
        return lease;
    }

    /** Begins to observe a lease that is granted later. Returns {@code null} if there is no observer. */
    @Nullable
    LeaseObservation begin(LockRequest request) {
        return observer == null ? null : new LeaseObservation(observer.begin(request));
    }

    /** An execution and the failure that it is notified of at its end. Used by one thread. */
    private static final class Told {

        final LockObserver.Execution execution;

        @Nullable
        Throwable failure;

        Told(LockObserver.Execution execution) {
            this.execution = execution;
        }
    }
}
