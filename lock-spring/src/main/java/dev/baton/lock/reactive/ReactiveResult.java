package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.async.AsyncInvocation;
import dev.baton.lock.interceptor.async.AsyncResultAdapter;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Executes methods that return {@code Mono}, {@code Flux} or a type that Spring converts to and from these. Each
 * subscription acquires the lock, then calls the method. The lock is held until the returned publisher completes, fails
 * or is cancelled. Thread-safe.
 */
public final class ReactiveResult implements AsyncResultAdapter {

    private static final boolean TRANSACTIONS_PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.reactive.TransactionSynchronizationManager",
            ReactiveResult.class.getClassLoader());

    private final ReactiveAdapterRegistry adapters;

    /** {@code null} without spring-tx, or if transactions do not matter. */
    private final @Nullable ReactiveTransactions transactions;

    /** Creates the adapter, with {@link InTransaction#RELEASE}. */
    public ReactiveResult(ReactiveAdapterRegistry adapters) {
        this(adapters, InTransaction.RELEASE);
    }

    /**
     * Creates the adapter.
     *
     * @param inTransaction how to handle locks that are acquired inside an already active reactive transaction, or
     *     {@code null} to release them when the publisher ends, without a warning
     */
    public ReactiveResult(ReactiveAdapterRegistry adapters, @Nullable InTransaction inTransaction) {
        this.adapters = adapters;
        this.transactions =
                TRANSACTIONS_PRESENT && inTransaction != null ? new ReactiveTransactions(inTransaction) : null;
    }

    /** Excludes subclasses of such types, because the caller receives Baton's own publisher. */
    @Override
    public boolean supports(Class<?> returned) {
        ReactiveAdapter adapter = adapters.getAdapter(returned);
        return adapter != null
                && adapter.getDescriptor().isDeferred()
                && returned.isAssignableFrom(adapter.getReactiveType());
    }

    @Override
    public Object execute(LockOperations operations, LockRequest request, AsyncInvocation call) {
        ReactiveAdapter adapter = adapters.getAdapter(call.returnType());
        if (adapter == null) {
            throw new IllegalArgumentException("no adapter for " + call.returnType());
        }
        ReactiveLockTemplate locks = new ReactiveLockTemplate(operations);
        // a lock is kept only where there are transactions
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? judge(request, call)
                                .flatMapMany(judged -> new Locked(locks, judged, adapter).many(call.again()))
                        : judge(request, call).flatMap(judged -> new Locked(locks, judged, adapter).one(call.again())));
    }

    private Mono<ReactiveLockRequest> judge(LockRequest request, AsyncInvocation call) {
        return transactions == null
                ? Mono.just(new ReactiveLockRequest(request, false))
                : transactions.judge(request, call);
    }

    /** Executes a method under its lock. */
    private record Locked(ReactiveLockTemplate locks, ReactiveLockRequest judged, ReactiveAdapter adapter) {

        Mono<Object> one(AsyncInvocation call) {
            return (judged.kept()
                            ? kept(call).singleOrEmpty()
                            : locks.execute(judged.request(), lease -> Mono.defer(() -> Mono.from(body(call, lease)))))
                    .onErrorResume(LockTimeoutException.class, timeout -> Mono.from(busy(call, timeout)));
        }

        Flux<Object> many(AsyncInvocation call) {
            return (judged.kept() ? kept(call) : locks.executeMany(judged.request(), lease -> body(call, lease)))
                    .onErrorResume(LockTimeoutException.class, timeout -> busy(call, timeout));
        }

        private Flux<Object> kept(AsyncInvocation call) {
            return locks.executeKept(judged.request(), ReactiveTransactions::keep, lease -> body(call, lease));
        }

        private Publisher<Object> body(AsyncInvocation call, Lease lease) {
            try {
                return adapter.toPublisher(call.proceed(lease));
            } catch (Throwable ex) {
                return Mono.error(ex);
            }
        }

        private Publisher<Object> busy(AsyncInvocation call, LockTimeoutException timeout) {
            if (call.hasBegun()) {
                return Mono.error(timeout);
            }
            try {
                return adapter.toPublisher(call.busy(timeout));
            } catch (Throwable ex) {
                return Mono.error(ex);
            }
        }
    }
}
