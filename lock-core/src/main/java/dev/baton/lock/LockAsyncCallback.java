package dev.baton.lock;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Work under a lock that goes on after the method has returned: until its stage completes.
 *
 * @param <T> what the work gives
 */
@FunctionalInterface
public interface LockAsyncCallback<T extends @Nullable Object> {

    /**
     * Starts the work. Called on a thread that must not be kept waiting.
     *
     * @param lease what is held; it is released when the stage completes
     * @throws Exception as if the stage had completed with it
     */
    CompletionStage<T> doWithLock(Lease lease) throws Exception;
}
