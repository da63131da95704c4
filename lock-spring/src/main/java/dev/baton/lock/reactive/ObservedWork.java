package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import dev.baton.lock.LockObserver;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Transfers the observation of a lock from the Reactor context to the requesting thread. Also transfers the observation
 * from the thread in which the work begins to the context of the work. Both need Micrometer's context-propagation on
 * the class path, and do nothing without it.
 */
final class ObservedWork {

    private ObservedWork() {}

    /**
     * Calls the supplier on subscription, while the thread-locals are those of the subscriber's context. The operator
     * {@code handle} is one of the two that restore the thread-locals without being configured to.
     */
    static <T> Mono<T> asked(Supplier<T> asking) {
        return Mono.just(asking).handle((asks, sink) -> sink.next(asks.get()));
    }

    /** Returns the current values of this thread as a context. */
    static ContextView current() {
        return Mono.deferContextual(Mono::just).contextCapture().toFuture().getNow(Context.empty());
    }

    /**
     * Returns the work, called in the scope of its lease; the context of the work has the same scope. A failure of the
     * work is reported to the lease. The scope is closed before anything is emitted, because operators after the lock
     * are not part of it.
     */
    static <T> Function<Lease, Publisher<T>> in(Function<Lease, ? extends Publisher<T>> work) {
        return lease -> Flux.<T>defer(() -> {
                    try (LockObserver.Scope scope = lease.openScope()) {
                        ContextView current = current();
                        return Flux.from(work.apply(lease)).contextWrite(inner -> inner.putAll(current));
                    }
                })
                .doOnError(failure -> failed(lease, failure));
    }

    private static void failed(Lease lease, Throwable failure) {
        try (LockObserver.Scope scope = lease.openScope()) {
            scope.failed(failure);
        }
    }
}
