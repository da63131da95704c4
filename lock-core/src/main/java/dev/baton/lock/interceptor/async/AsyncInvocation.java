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
 * One execution of a method that is called when its lock was granted, in whatever thread that is: with the arguments of the
 * call, and with the advice that stands inside the lock. Thread-safe.
 */
public final class AsyncInvocation {

    private final ProxyMethodInvocation invocation;
    private final BusyHandler whenBusy;
    private final Class<?> returnType;
    private volatile boolean begun;

    public AsyncInvocation(MethodInvocation invocation, BusyHandler whenBusy, Class<?> returnType) {
        if (!(invocation instanceof ProxyMethodInvocation proxied)) {
            throw new IllegalStateException("The lock of " + invocation.getMethod()
                    + " needs a call through a proxy of Spring, not a " + invocation.getClass());
        }
        // what the caller does to its array of arguments afterwards is not seen
        this.invocation = (ProxyMethodInvocation) proxied.invocableClone();
        this.whenBusy = whenBusy;
        this.returnType = returnType;
    }

    private AsyncInvocation(AsyncInvocation origin) {
        this.invocation = origin.invocation;
        this.whenBusy = origin.whenBusy;
        this.returnType = origin.returnType;
    }

    /** The same call to be executed once more, for a result that is subscribed to several times. */
    public AsyncInvocation again() {
        return new AsyncInvocation(this);
    }

    /** The method as it was called, possibly that of an interface. */
    public Method method() {
        return invocation.getMethod();
    }

    /** What the method is declared to return. */
    public Class<?> returnType() {
        return returnType;
    }

    /** Whether the method was reached: a time-out that comes afterwards is its own. */
    public boolean hasBegun() {
        return begun;
    }

    /**
     * Calls the method.
     *
     * @param lease the current one of this thread meanwhile
     * @return what the method returned
     * @throws IllegalStateException if that is null: nobody could say when its work is done
     * @throws Throwable what the method threw
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
                    + ", so its lock was given back at once; return one that is completed");
        }
        return result;
    }

    @SuppressWarnings("NullAway") // only its JSpecify mode sees that the callback's T may be null
    private Object proceed() throws Exception {
        try {
            // advice of aspects looks for the call in the thread
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
     * @return of the type that the method returns
     * @throws Throwable the time-out, or what the handler of the method threw
     */
    public Object busy(LockTimeoutException timeout) throws Throwable {
        Object answer = whenBusy.answer(invocation, timeout);
        if (answer == null) {
            throw new IllegalStateException(
                    "onTimeout of " + describe() + " gave null instead of a " + returnType.getName(), timeout);
        }
        return answer;
    }

    private String describe() {
        return invocation.getMethod().getDeclaringClass().getName() + "."
                + invocation.getMethod().getName() + "(..)";
    }
}
