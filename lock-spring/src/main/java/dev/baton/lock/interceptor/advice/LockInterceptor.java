package dev.baton.lock.interceptor.advice;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.WrappedThrowable;
import dev.baton.lock.interceptor.async.AsyncResultAdapter;
import dev.baton.lock.interceptor.transaction.LockedBody;
import dev.baton.lock.interceptor.transaction.TransactionBoundLock;
import dev.baton.lock.interceptor.transaction.TransactionRules;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Executes a method under its lock: determines the attribute and the request, and leaves the rest to
 * {@link LockOperations}.
 *
 * <p>A method whose work continues after it has returned is executed by an {@link AsyncResultAdapter}.
 *
 * <p>Exceptions of the method are thrown unchanged. {@link LockOperations} describes the exceptions of acquiring and
 * keeping the lock. Thread-safe.
 */
public final class LockInterceptor implements MethodInterceptor {

    private final MethodLocks locks;
    private final Supplier<LockOperations> operations;

    /** {@code null} without spring-tx, or if transactions do not matter. */
    private final @Nullable TransactionBoundLock transactionBound;

    /** Creates the advice, with {@link InTransaction#RELEASE}. */
    public LockInterceptor(
            LockAttributeSource attributeSource,
            BeanFactory beanFactory,
            Supplier<? extends LockOperations> operations) {
        this(attributeSource, beanFactory, operations, InTransaction.RELEASE);
    }

    /**
     * Creates the advice.
     *
     * @param beanFactory the bean factory in which expressions find {@code @bean}
     * @param operations supplies the operations at the first call, because the advice is created before most beans
     * @param inTransaction how to handle locks that are acquired inside an already active transaction, or {@code null}
     *     to release them when the method returns, without a warning
     */
    public LockInterceptor(
            LockAttributeSource attributeSource,
            BeanFactory beanFactory,
            Supplier<? extends LockOperations> operations,
            @Nullable InTransaction inTransaction) {
        this.locks = new MethodLocks(attributeSource, beanFactory);
        this.operations = SingletonSupplier.of(operations::get);
        this.transactionBound = inTransaction == null ? null : TransactionRules.bound(inTransaction);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        MethodLock lock = locks.of(invocation);
        LockRequest request = lock == null ? null : lock.request(invocation);
        if (lock == null || request == null) {
            return invocation.proceed();
        }
        AsyncResultAdapter later = lock.later();
        if (later != null) {
            return later.execute(operations.get(), request, lock.laterCall(invocation));
        }
        LockedBody body = new LockedBody(invocation);
        try {
            return execute(request, body, invocation.getMethod());
        } catch (LockTimeoutException ex) {
            if (body.hasBegun()) {
                throw ex;
            }
            return lock.busy(invocation, ex);
        } catch (WrappedThrowable ex) {
            throw ex.unwrap();
        }
    }

    @SuppressWarnings("NullAway") // only NullAway's JSpecify mode sees that the callback's T may be null
    private @Nullable Object execute(LockRequest request, LockedBody body, Method method) throws Exception {
        if (transactionBound != null && TransactionBoundLock.isTransactionActive()) {
            return transactionBound.execute(operations.get(), request, body, method);
        }
        return operations.get().execute(request, body);
    }
}
