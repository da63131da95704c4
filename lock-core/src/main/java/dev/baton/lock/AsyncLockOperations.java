package dev.baton.lock;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks without a waiting thread. Part of {@link LockOperations}.
 *
 * <p>Every failure completes the stage exceptionally, with the exceptions of
 * {@link LockOperations#execute(LockRequest, LockCallback)}. The owner is the call, not the thread: two calls of one
 * thread exclude each other, unless the requests name the same {@linkplain LockRequest#owner(String) owner}.
 *
 * <p>Stages complete on a few threads of Baton's own, unless {@code LockTemplateBuilder.asyncExecutor} sets an
 * executor. A dependent action must not block these threads; attach a blocking action with an executor.
 */
public interface AsyncLockOperations {

    /**
     * Requests the lock and returns at once. The receiver of the lease releases it, preferably with
     * {@link Lease#releaseAsync()}.
     *
     * @return completes with the lease. A caller that ends {@code toCompletableFuture()} by {@code cancel(..)},
     *     {@code orTimeout(..)} or otherwise leaves the queue; a lock that is granted at that moment is released
     */
    CompletionStage<Lease> acquireAsync(LockRequest request);

    /**
     * Takes the lock from its holder as {@link LockOperations#forceAcquire} does, and returns at once.
     *
     * @return completes with the lease, as that of {@link #acquireAsync} does
     */
    CompletionStage<Lease> forceAcquireAsync(LockRequest request);

    /**
     * Requests the lock and returns at once. Starts the work when the lock is granted, and releases the lock when the
     * stage of the work has completed.
     *
     * @return completes with the result after the lock was released, or with a {@link LockLostException} carrying the
     *     result if the lease was lost meanwhile. {@code toCompletableFuture().cancel(..)} leaves the queue, or cancels
     *     the stage of the work, whose completion releases the lock. {@code orTimeout(..)} and the like leave the
     *     queue; work that has begun continues under the lock
     */
    <T extends @Nullable Object> CompletionStage<T> executeAsync(LockRequest request, LockAsyncCallback<T> work);
}
