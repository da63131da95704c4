package dev.baton.lock.interceptor.fallback;

import dev.baton.lock.LockTimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What a call does whose lock was not granted in time. */
@FunctionalInterface
public interface BusyHandler {

    /** Throws the time-out on. */
    BusyHandler FAIL = (invocation, timeout) -> {
        throw timeout;
    };

    /**
     * Answers the call instead of the method.
     *
     * @return what the caller is given
     */
    @Nullable
    Object answer(MethodInvocation invocation, LockTimeoutException timeout) throws Throwable;
}
