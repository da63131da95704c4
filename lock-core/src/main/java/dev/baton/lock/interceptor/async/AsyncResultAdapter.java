package dev.baton.lock.interceptor.async;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;

/**
 * How a method is executed under its lock whose work goes on after it has returned. {@code CompletionStage} is always known;
 * beans of this type add others.
 *
 * <p>Thread-safe. Never blocks the caller, and says whatever goes wrong through the result.
 */
public interface AsyncResultAdapter {

    /** Whether the result of a method that is declared to return this type can be awaited, and one of our own be given for it. */
    boolean supports(Class<?> returned);

    /**
     * Executes a method under its lock, which is held until the result of the method completes, fails or is cancelled.
     *
     * @param call the method; called after the lock was granted
     * @return what the caller gets at once, of the type that the method returns
     */
    Object execute(LockOperations operations, LockRequest request, AsyncInvocation call);
}
