package dev.baton.lock.interceptor.fallback;

import dev.baton.lock.LockTimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Handles a call whose lock was not granted in time. */
@FunctionalInterface
public interface BusyHandler {

    /** Throws the time-out. */
    BusyHandler FAIL = (invocation, timeout) -> {
        throw timeout;
    };

    /**
     * Answers the call instead of the method.
     *
     * @return the result for the caller
     */
    @Nullable
    Object answer(MethodInvocation invocation, LockTimeoutException timeout) throws Throwable;
}
