package dev.baton.lock.reactive;

import dev.baton.lock.AsyncLockOperations;
import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockRequest;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Acquires locks for Reactor. Sends no request before a subscription, and never blocks.
 *
 * <p>The lock is held until the work completes, fails or is cancelled. A subscriber that cancels while waiting leaves
 * the queue. The owner is the subscription: two subscriptions exclude each other. Work inside the lock may acquire it
 * again, even in inner publishers that run at the same time, because the Reactor context carries the owner. Failures
 * are those of {@link dev.baton.lock.LockOperations#execute}. An exception of the work takes precedence; an exception
 * of Baton is added to it as suppressed.
 *
 * <p>Thread-safe. Signals arrive on the threads that {@link AsyncLockOperations} names, so subsequent operators must
 * not block there.
 */
public final class ReactiveLockTemplate {

    private final AsyncLockOperations operations;

    public ReactiveLockTemplate(AsyncLockOperations operations) {
        this.operations = operations;
    }

    /**
     * Waits for the lock, subscribes to the work, and releases the lock when the work ends.
     *
     * @param work the work to do with the lease; called once per subscription
     * @return emits after the lock was released; empty if the work is empty. Fails with
     *     {@link dev.baton.lock.LockLostException} carrying the result if the lease was lost before the work was done
     */
    // a stage that completes with null is a Mono without a value, which its type does not express
    @SuppressWarnings("NullAway")
    public <T> Mono<T> execute(LockRequest request, Function<Lease, ? extends Mono<T>> work) {
        return Mono.deferContextual(context -> {
            LockRequest owned = LockOwner.owned(request, context);
            LockAsyncCallback<T> inside = lease -> {
                // the observation of the lock is current in this thread now, and replaces the outer observation for the
                // work
                ContextView current = ObservedWork.current();
                return work.apply(lease)
                        .contextWrite(
                                inner -> LockOwner.in(inner.putAll(context).putAll(current), owned, lease))
                        .toFuture();
            };
            return ObservedWork.<CompletionStage<T>>asked(
                            () -> LockOwner.ask(context, () -> operations.executeAsync(owned, inside)))
                    .flatMap(Mono::fromCompletionStage)
                    .onErrorMap(CompletionException.class, ReactiveLockTemplate::cause);
        });
    }

    /**
     * Does the same as {@link #execute(LockRequest, Function)} for work with any number of results. Emits the results
     * while the lock is held.
     *
     * @return completes after the lock was released
     */
    public <T> Flux<T> executeMany(LockRequest request, Function<Lease, ? extends Publisher<T>> work) {
        return Flux.deferContextual(context -> {
            LockRequest owned = LockOwner.owned(request, context);
            DeferredLease deferred = new DeferredLease();
            return Flux.usingWhen(
                            deferred.ask(() -> LockOwner.ask(context, () -> operations.acquireAsync(owned))),
                            lease -> DeferredLease.closed(deferred.take(lease), ObservedWork.in(work))
                                    .contextWrite(inner -> LockOwner.in(inner, owned, lease)),
                            lease -> Mono.fromCompletionStage(lease.releaseAsync()))
                    .onErrorMap(CompletionException.class, ReactiveLockTemplate::cause);
        });
    }

    /**
     * Does the same as {@link #executeMany}, but leaves the release of the lock to another component.
     *
     * @param keep takes over the lease, with its request including the owner; if that fails, the lock is released
     */
    <T> Flux<T> executeKept(
            LockRequest request,
            BiFunction<Lease, LockRequest, Mono<Void>> keep,
            Function<Lease, ? extends Publisher<T>> work) {
        return Flux.deferContextual(context -> {
            LockRequest owned = LockOwner.owned(request, context);
            DeferredLease deferred = new DeferredLease();
            return deferred.ask(() -> LockOwner.ask(context, () -> operations.acquireAsync(owned)))
                    .flatMapMany(lease -> keep.apply(lease, owned)
                            .doOnSuccess(kept -> deferred.take(lease))
                            .thenMany(ObservedWork.in(work).apply(lease))
                            .contextWrite(inner -> LockOwner.in(inner, owned, lease)))
                    .onErrorMap(CompletionException.class, ReactiveLockTemplate::cause);
        });
    }

    /** Names the operations, for people. */
    @Override
    public String toString() {
        return "ReactiveLockTemplate[" + operations + "]";
    }

    private static Throwable cause(CompletionException wrapper) {
        Throwable cause = wrapper.getCause();
        return cause == null ? wrapper : cause;
    }
}
