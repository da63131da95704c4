package dev.baton.lock;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes locks without a thread that waits. Part of {@link LockOperations}.
 *
 * <p>Whatever goes wrong completes the stage, with the exceptions of {@link LockOperations#execute(LockRequest, LockCallback)}.
 * The owner is the call, not the thread: two calls of one thread exclude each other, unless the requests name the same
 * {@linkplain LockRequest#owner(String) owner}.
 *
 * <p>Stages complete on a few threads of Baton's own, unless {@code LockTemplateBuilder.asyncExecutor} names others: what is
 * attached to them must not block, or be attached with an executor.
 */
public interface AsyncLockOperations {

    /**
     * Asks for the lock and returns at once. Who receives the lease releases it, best by {@link Lease#releaseAsync()}.
     *
     * @return completes with the lease. Who ends {@code toCompletableFuture()}, by {@code cancel(..)}, {@code orTimeout(..)} or
     *     otherwise, leaves the queue; a lock that is granted at that moment is given back
     */
    CompletionStage<Lease> acquireAsync(LockRequest request);

    /**
     * Asks for the lock and returns at once; starts the work when it is granted, and releases the lock when the stage of the work
     * has completed.
     *
     * @return completes with the result after the lock was released; {@link LockLostException} carrying the result if the lease
     *     was lost meanwhile. {@code toCompletableFuture().cancel(..)} leaves the queue, or cancels the stage of the work, whose
     *     completion releases the lock. {@code orTimeout(..)} and the like leave the queue; work that has begun goes on under
     *     the lock
     */
    <T extends @Nullable Object> CompletionStage<T> executeAsync(LockRequest request, LockAsyncCallback<T> work);
}
