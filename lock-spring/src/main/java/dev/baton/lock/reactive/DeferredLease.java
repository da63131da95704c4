package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Delivers a lease to a subscriber, which may cancel at any moment; the lease is then released. One per subscription.
 */
final class DeferredLease {

    private final AtomicBoolean taken = new AtomicBoolean();

    /** Requests the lease on subscription. */
    Mono<Lease> ask(Supplier<CompletionStage<Lease>> asking) {
        return ObservedWork.asked(asking)
                .flatMap(lease -> Mono.create(sink -> send(lease.toCompletableFuture(), sink)));
    }

    /** Records that the subscriber has the lease and will release it. */
    Lease take(Lease lease) {
        taken.set(true);
        return lease;
    }

    private void send(CompletableFuture<Lease> lease, MonoSink<Lease> sink) {
        // this also runs after the subscriber has received the lease, which is marked as taken by then
        sink.onDispose(() -> giveBack(lease));
        lease.whenComplete((granted, failure) -> {
            if (failure == null) {
                sink.success(granted);
            } else {
                sink.error(failure);
            }
        });
    }

    private void giveBack(CompletableFuture<Lease> lease) {
        if (!lease.cancel(false) && !taken.get() && !lease.isCompletedExceptionally()) {
            lease.join().releaseAsync();
        }
    }

    /**
     * Returns the work, followed by the release after its last item, because {@code usingWhen} would wrap a failure of
     * the release. The subsequent release by {@code usingWhen} then has no effect.
     */
    static <T> Flux<T> closed(Lease lease, Function<Lease, ? extends Publisher<T>> work) {
        return Flux.from(work.apply(lease))
                .onErrorResume(failure -> closeAfter(lease, failure))
                .concatWith(Mono.defer(() -> Mono.fromCompletionStage(lease.closeAsync()))
                        .then(Mono.empty()));
    }

    /** Closes the lease after a failure of the work, whose exception remains the visible one. */
    private static <T> Mono<T> closeAfter(Lease lease, Throwable failure) {
        return Mono.fromCompletionStage(lease.closeAsync())
                .onErrorResume(ours -> {
                    failure.addSuppressed(ours);
                    return Mono.empty();
                })
                .then(Mono.error(failure));
    }
}
