package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.async.AsyncInvocation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Coordinates locks with the transaction of a chain of operators. Must be loaded only where spring-tx is present.
 * Thread-safe.
 */
final class ReactiveTransactions {

    private static final Logger logger = LoggerFactory.getLogger(ReactiveTransactions.class);

    private static final String KEPT =
            "it is held until that transaction completes, not only while the method runs, and the transaction may have read what"
                    + " the last holder has changed since";
    private static final String GIVEN_BACK =
            "it is released before the commit, and the next holder may not see what this one wrote";

    private final Set<Method> warned = ConcurrentHashMap.newKeySet();
    private final InTransaction mode;

    ReactiveTransactions(InTransaction mode) {
        this.mode = mode;
    }

    /** Decides how the lock is acquired. Fails if the lock is not to be acquired inside an active transaction. */
    Mono<ReactiveLockRequest> judge(LockRequest request, AsyncInvocation call) {
        ReactiveLockRequest ordinary = new ReactiveLockRequest(request, false);
        // on re-entry, the call that acquired the lock first has already been judged
        return Mono.deferContextual(context -> LockOwner.isHeld(request, context)
                ? Mono.just(ordinary)
                : active().flatMap(active -> judge(request, call, active)).defaultIfEmpty(ordinary));
    }

    private Mono<ReactiveLockRequest> judge(
            LockRequest request, AsyncInvocation call, TransactionSynchronizationManager active) {
        String owner = keeper(request, active);
        if (owner != null) {
            return Mono.just(new ReactiveLockRequest(request.owner(owner), false));
        }
        return switch (mode) {
            case RELEASE -> {
                warnOnce(KEPT, request, call.method());
                yield Mono.just(new ReactiveLockRequest(request, true));
            }
            case WARN -> {
                warnOnce(GIVEN_BACK, request, call.method());
                yield Mono.just(new ReactiveLockRequest(request, false));
            }
            case REFUSE ->
                Mono.error(new IllegalStateException("Lock '" + request.title() + "' of " + where(call.method())
                        + " is not acquired, because a reactive transaction is already active (baton.in-transaction=refuse);"
                        + " put @DistributedLock on the method that begins the transaction"));
        };
    }

    /** Returns the owner for which the active transaction already holds the lock, or {@code null} if it does not. */
    private static @Nullable String keeper(LockRequest request, TransactionSynchronizationManager active) {
        return active.getSynchronizations().stream()
                .filter(HeldUntilCompletion.class::isInstance)
                .map(HeldUntilCompletion.class::cast)
                .filter(held -> LockOwner.covers(held.taken, held.lease, request))
                .map(held -> held.taken.owner())
                .findFirst()
                .orElse(null);
    }

    private void warnOnce(String what, LockRequest request, Method method) {
        if (warned.add(method)) {
            logger.warn(
                    "Lock '{}' of {} is acquired inside a reactive transaction that is already active: {}. Put @DistributedLock on"
                            + " the method that begins the transaction. Logged once per method.",
                    request.title(),
                    where(method),
                    what);
        }
    }

    private static String where(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    /** Leaves the release of a lease to the end of the active transaction. */
    static Mono<Void> keep(Lease lease, LockRequest taken) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .doOnNext(active -> active.registerSynchronization(new HeldUntilCompletion(lease, taken)))
                .then();
    }

    /**
     * Makes the commit of the current transaction, if there is one, check whether the enclosing locks are still held.
     */
    static Mono<Void> vetoCommit() {
        return Mono.deferContextual(context -> {
            List<Lease> leases = LockOwner.leases(context);
            return active().doOnNext(active -> active.registerSynchronization(new HeldAtCommit(leases)))
                    .then();
        });
    }

    /** Returns the active transaction; empty if there is none. */
    private static Mono<TransactionSynchronizationManager> active() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .filter(manager -> manager.isSynchronizationActive() && manager.isActualTransactionActive());
    }

    /** Fails before the commit if a lease is lost, which makes the transaction manager roll back. */
    private record HeldAtCommit(List<Lease> leases) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Flux.fromIterable(leases)
                    .concatMap(lease -> Mono.fromCompletionStage(lease.verifyAsync()))
                    .then();
        }
    }

    private static final class HeldUntilCompletion implements TransactionSynchronization {

        private final Lease lease;
        private final LockRequest taken;
        private volatile boolean vetoed;

        HeldUntilCompletion(Lease lease, LockRequest taken) {
            this.lease = lease;
            this.taken = taken;
        }

        /** Runs at the last moment at which the loss of the lock can still undo the changes. */
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.defer(() -> Mono.fromCompletionStage(lease.verifyAsync()))
                    .then()
                    .doOnError(LockLostException.class, lost -> vetoed = true);
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.defer(() -> Mono.fromCompletionStage(lease.closeAsync()))
                    .then()
                    .onErrorResume(LockLostException.class, lost -> {
                        if (!vetoed) {
                            logger.error(
                                    "A lock was lost before the reactive transaction that it protected had {}: another holder may have"
                                            + " worked on the same data. Check what both wrote; keep the transaction shorter than"
                                            + " the lease, or raise expire",
                                    outcome(status),
                                    lost);
                        }
                        return Mono.empty();
                    });
        }

        private static String outcome(int status) {
            return switch (status) {
                case STATUS_COMMITTED -> "been committed";
                case STATUS_ROLLED_BACK -> "been rolled back";
                default -> "ended with an unknown outcome";
            };
        }
    }
}
