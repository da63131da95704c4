package dev.baton.lock.interceptor;

import dev.baton.lock.LockCallback;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Executes a method under its lock: attribute, key, request, and the rest is {@link LockOperations}'.
 *
 * <p>What the method throws comes out as it was thrown; what taking and keeping the lock throws is said there.
 * Thread-safe.
 */
public final class LockInterceptor implements MethodInterceptor {

    private static final boolean TRANSACTIONS_PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            LockInterceptor.class.getClassLoader());

    private final LockAttributeSource attributeSource;
    private final LockKeyEvaluator keyEvaluator;
    private final Supplier<LockOperations> operations;

    /** Null without spring-tx. */
    private final @Nullable TransactionBoundLock transactionBound;

    /**
     * Creates the advice.
     *
     * @param beanFactory where key expressions find {@code @bean}
     * @param operations asked at the first call, since the advice is created before most beans
     */
    public LockInterceptor(
            LockAttributeSource attributeSource,
            BeanFactory beanFactory,
            Supplier<? extends LockOperations> operations) {
        this.attributeSource = attributeSource;
        this.keyEvaluator = new LockKeyEvaluator(beanFactory);
        this.operations = SingletonSupplier.of(operations::get);
        this.transactionBound = TRANSACTIONS_PRESENT ? new TransactionBoundLock() : null;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> targetClass = target == null ? null : AopUtils.getTargetClass(target);
        LockAttribute attribute = attributeSource.getLockAttribute(invocation.getMethod(), targetClass);
        if (attribute == null) {
            return invocation.proceed();
        }
        List<String> key = keyEvaluator.evaluate(attribute, invocation, targetClass);
        try {
            return execute(attribute.request(key), invocation);
        } catch (UnusualThrowable ex) {
            throw ex.unwrap();
        }
    }

    @SuppressWarnings("NullAway") // only its JSpecify mode sees that the callback's T may be null
    private @Nullable Object execute(LockRequest request, MethodInvocation invocation) throws Exception {
        LockCallback<@Nullable Object, Exception> body = lease -> proceed(invocation);
        if (transactionBound != null && TransactionBoundLock.isTransactionActive()) {
            return transactionBound.execute(operations.get(), request, body, invocation.getMethod());
        }
        return operations.get().execute(request, body);
    }

    private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new UnusualThrowable(ex);
        }
    }
}
