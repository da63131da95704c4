package dev.baton.lock.interceptor.transaction;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.interceptor.WrappedThrowable;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Calls the method itself, and records whether it was reached. From then on, every throwable is that of the method,
 * including a time-out of another lock.
 */
public final class LockedBody implements LockCallback<@Nullable Object, Exception> {

    private final MethodInvocation invocation;

    /** Written and read by the thread of the call. */
    private boolean begun;

    public LockedBody(MethodInvocation invocation) {
        this.invocation = invocation;
    }

    public boolean hasBegun() {
        return begun;
    }

    @Override
    @SuppressWarnings("NullAway") // only NullAway's JSpecify mode sees that the callback's T may be null
    public @Nullable Object doWithLock(Lease lease) throws Exception {
        begun = true;
        try {
            return invocation.proceed();
        } catch (Exception | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new WrappedThrowable(ex);
        }
    }
}
