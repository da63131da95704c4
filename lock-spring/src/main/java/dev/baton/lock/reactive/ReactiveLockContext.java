package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Provides the lease under which a chain of operators works, from its Reactor context. */
public final class ReactiveLockContext {

    private ReactiveLockContext() {}

    /**
     * Emits the innermost lease.
     *
     * @return the lease; fails with {@link IllegalStateException} if the chain works under no lock of
     *     {@link ReactiveLockTemplate} or {@code @DistributedLock}
     */
    public static Mono<Lease> currentLease() {
        return Mono.deferContextual(context -> {
            List<Lease> leases = LockOwner.leases(context);
            return leases.isEmpty()
                    ? Mono.error(new IllegalStateException(
                            "this chain of operators is not running under a lock; call the method with @DistributedLock on the"
                                    + " bean, not on 'this', and make what it returns part of the chain"))
                    : Mono.just(leases.get(0));
        });
    }

    /**
     * Verifies that all leases under which the chain works are still held, as {@link Lease#verifyAsync()} does. Use
     * this check as the last step inside a transaction of a {@code TransactionalOperator}.
     *
     * @return completes at once if there is no lock; fails with {@link dev.baton.lock.LockLostException} if a lease is
     *     not held
     */
    public static Mono<Void> verify() {
        return Flux.deferContextual(context -> Flux.fromIterable(LockOwner.leases(context)))
                .concatMap(lease -> Mono.fromCompletionStage(lease.verifyAsync()))
                .then();
    }
}
