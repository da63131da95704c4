package dev.baton.lock.interceptor.async;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;

/**
 * Executes methods under a lock whose work continues after they have returned. {@code CompletionStage} is always
 * supported; beans of this type add other types.
 *
 * <p>Thread-safe. Never blocks the caller, and reports every failure through the result.
 */
public interface AsyncResultAdapter {

    /**
     * Returns whether this adapter supports a declared return type. The adapter must be able to await such a result,
     * and to return its own result instead.
     */
    boolean supports(Class<?> returned);

    /**
     * Executes a method under its lock, which is held until the result of the method completes, fails or is cancelled.
     *
     * @param call the call of the method; started after the lock was granted
     * @return the result for the caller, returned at once and of the type that the method returns
     */
    Object execute(LockOperations operations, LockRequest request, AsyncInvocation call);
}
