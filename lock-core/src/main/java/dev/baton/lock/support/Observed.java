package dev.baton.lock.support;

import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes the observer along with executions; without one it does nothing. */
final class Observed {

    private final @Nullable LockObserver observer;

    Observed(@Nullable LockObserver observer) {
        this.observer = observer;
    }

    /** Takes the lock and does the work. */
    @FunctionalInterface
    interface Call<R extends @Nullable Object, T extends @Nullable Object, E extends Exception> {

        R with(LockRequest request, LockCallback<T, E> action) throws E;
    }

    <T extends @Nullable Object, E extends Exception> T execute(
            LockRequest request, LockCallback<T, E> action, Call<T, T, E> call) throws E {
        return observer == null ? call.with(request, action) : execute(observer.begin(request), request, action, call);
    }

    <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action, Call<LockResult<T>, T, E> call) throws E {
        return observer == null ? call.with(request, action) : execute(observer.begin(request), request, action, call);
    }

    private static <R extends @Nullable Object, T extends @Nullable Object, E extends Exception> R execute(
            LockObserver.Execution execution, LockRequest request, LockCallback<T, E> action, Call<R, T, E> call)
            throws E {
        Throwable failure = null;
        LockObserver.Scope scope = execution.open();
        try {
            return call.with(request, lease -> {
                execution.granted(lease);
                return action.doWithLock(lease);
            });
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            scope.close();
            execution.ended(failure);
        }
    }

    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work, AsyncLocks locks) {
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
        // not what this returns: a caller that cancels must reach the work
        result.whenComplete(
                (value, failure) -> execution.ended(failure == null ? null : AsyncAcquisition.unwrapped(failure)));
        return result;
    }
}
