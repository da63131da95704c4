package dev.baton.lock.reactive;

import dev.baton.lock.interceptor.LockAttributeSource;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Mono;

/**
 * Refuses the commit of the reactive transaction that a method with a lock begins, if the lock was lost. The advice is
 * inside that of the transaction, because the transaction is known only there. Must be an infrastructure bean that is
 * defined after the transaction advisor, which has the same order. Needs spring-tx.
 */
public final class ReactiveCommitAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient LockAttributeSource attributeSource;
    private final transient ReactiveAdapterRegistry adapters;

    public ReactiveCommitAdvisor(LockAttributeSource attributeSource, ReactiveAdapterRegistry adapters) {
        this.attributeSource = attributeSource;
        this.adapters = adapters;
        setClassFilter(attributeSource::isCandidateClass);
        setAdvice((MethodInterceptor) this::invoke);
        setOrder(Ordered.LOWEST_PRECEDENCE);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return new ReactiveResult(adapters).supports(method.getReturnType())
                && attributeSource.getLockAttribute(method, targetClass) != null;
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object result = invocation.proceed();
        ReactiveAdapter adapter = adapters.getAdapter(invocation.getMethod().getReturnType());
        if (result == null || adapter == null) {
            return result;
        }
        Publisher<Object> work = adapter.toPublisher(result);
        Mono<Void> veto = ReactiveTransactions.vetoCommit();
        return adapter.fromPublisher(adapter.isMultiValue() ? veto.thenMany(work) : veto.then(Mono.from(work)));
    }
}
