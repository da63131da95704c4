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

/** A lease on its way to a subscriber, which may go away at any moment: then it is given back. One per subscription. */
final class DeferredLease {

    private final AtomicBoolean taken = new AtomicBoolean();

    /** Asks for the lease when it is subscribed to. */
    Mono<Lease> ask(Supplier<CompletionStage<Lease>> asking) {
        return ObservedWork.asked(asking)
                .flatMap(lease -> Mono.create(sink -> send(lease.toCompletableFuture(), sink)));
    }

    /** The subscriber has it, and gives it back. */
    Lease take(Lease lease) {
        taken.set(true);
        return lease;
    }

    private void send(CompletableFuture<Lease> lease, MonoSink<Lease> sink) {
        // runs after the lease was received as well; it has been taken then
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
     * The work, and after its last item the release: {@code usingWhen} would wrap what goes wrong there. The release that
     * follows then finds nothing to do.
     */
    static <T> Flux<T> closed(Lease lease, Function<Lease, ? extends Publisher<T>> work) {
        return Flux.from(work.apply(lease))
                .onErrorResume(failure -> closeAfter(lease, failure))
                .concatWith(Mono.defer(() -> Mono.fromCompletionStage(lease.closeAsync()))
                        .then(Mono.empty()));
    }

    /** The exception of the work stays the one that is seen. */
    private static <T> Mono<T> closeAfter(Lease lease, Throwable failure) {
        return Mono.fromCompletionStage(lease.closeAsync())
                .onErrorResume(ours -> {
                    failure.addSuppressed(ours);
                    return Mono.empty();
                })
                .then(Mono.error(failure));
    }
}
