package dev.baton.lock;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Work under a lock that continues after the method has returned, until its stage completes.
 *
 * @param <T> the result of the work
 */
@FunctionalInterface
public interface LockAsyncCallback<T extends @Nullable Object> {

    /**
     * Starts the work. Called on a thread that must not be blocked.
     *
     * @param lease the lease under which the work runs; released when the stage completes
     * @throws Exception with the same effect as a stage that completes with the exception
     */
    CompletionStage<T> doWithLock(Lease lease) throws Exception;
}
