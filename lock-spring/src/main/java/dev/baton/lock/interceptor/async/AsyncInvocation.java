package dev.baton.lock.interceptor.async;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.WrappedThrowable;
import dev.baton.lock.interceptor.fallback.BusyHandler;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * One execution of a method that starts when its lock is granted, in any thread. Uses the arguments of the call, and
 * runs the advice inside the lock. Thread-safe.
 */
public final class AsyncInvocation {

    private final ProxyMethodInvocation invocation;
    private final BusyHandler whenBusy;
    private final Class<?> returnType;
    private volatile boolean begun;

    public AsyncInvocation(MethodInvocation invocation, BusyHandler whenBusy, Class<?> returnType) {
        if (!(invocation instanceof ProxyMethodInvocation proxied)) {
            throw new IllegalStateException("The lock of " + invocation.getMethod()
                    + " needs a call through a Spring proxy, not a " + invocation.getClass());
        }
        // the caller may change its array of arguments later: work on a copy
        this.invocation = (ProxyMethodInvocation) proxied.invocableClone();
        this.whenBusy = whenBusy;
        this.returnType = returnType;
    }

    private AsyncInvocation(AsyncInvocation origin) {
        this.invocation = origin.invocation;
        this.whenBusy = origin.whenBusy;
        this.returnType = origin.returnType;
    }

    /** Returns a new execution of the same call, for a result that is subscribed to several times. */
    public AsyncInvocation again() {
        return new AsyncInvocation(this);
    }

    /** Returns the method as it was called, possibly that of an interface. */
    public Method method() {
        return invocation.getMethod();
    }

    /** Returns the type that the method is declared to return. */
    public Class<?> returnType() {
        return returnType;
    }

    /** Returns whether the method was reached. A later time-out is an exception of the method itself. */
    public boolean hasBegun() {
        return begun;
    }

    /**
     * Calls the method.
     *
     * @param lease the current lease of this thread during the call
     * @return the result of the method
     * @throws IllegalStateException if that result is {@code null}, because the end of the work would be unknown
     * @throws Throwable the throwable of the method
     */
    public Object proceed(Lease lease) throws Throwable {
        begun = true;
        Object result;
        try {
            result = LockContext.callWith(lease, held -> proceed());
        } catch (WrappedThrowable ex) {
            throw ex.unwrap();
        }
        if (result == null) {
            throw new IllegalStateException(describe() + " returned null instead of a " + returnType.getName()
                    + ", so its lock was released at once; return a completed one");
        }
        return result;
    }

    @SuppressWarnings("NullAway") // only NullAway's JSpecify mode sees that the callback's T may be null
    private Object proceed() throws Exception {
        try {
            // the advice of aspects looks up the call in the thread: expose the call there
            return ExposeInvocationInterceptor.INSTANCE.invoke(invocation.invocableClone());
        } catch (Exception | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new WrappedThrowable(ex);
        }
    }

    /**
     * Answers instead of the method, whose lock was not granted in time.
     *
     * @return a result of the type that the method returns
     * @throws Throwable the time-out, or the throwable of the method's handler
     */
    public Object busy(LockTimeoutException timeout) throws Throwable {
        Object answer = whenBusy.answer(invocation, timeout);
        if (answer == null) {
            throw new IllegalStateException(
                    "onTimeout of " + describe() + " returned null instead of a " + returnType.getName(), timeout);
        }
        return answer;
    }

    private String describe() {
        return invocation.getMethod().getDeclaringClass().getName() + "."
                + invocation.getMethod().getName() + "(..)";
    }
}
