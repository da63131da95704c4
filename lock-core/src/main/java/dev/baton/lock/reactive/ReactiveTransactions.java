package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.LaterCall;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Locks and the transaction of a chain of operators. Only to be loaded where spring-tx is present. Thread-safe. */
final class ReactiveTransactions {

    private static final Logger logger = LoggerFactory.getLogger(ReactiveTransactions.class);

    private final Set<Method> warned = ConcurrentHashMap.newKeySet();
    private final InTransaction mode;

    ReactiveTransactions(InTransaction mode) {
        this.mode = mode;
    }

    /** Fails, or warns, if a lock is about to be taken inside a transaction that would end after it. */
    Mono<Void> check(LockRequest request, LaterCall call) {
        return Mono.deferContextual(
                context -> isHeld(request, context) ? Mono.empty() : active().flatMap(active -> judge(request, call)));
    }

    /** A re-entry: who took the lock first has been judged. */
    private static boolean isHeld(LockRequest request, ContextView context) {
        return request.namespace() == null
                && request.owner() == null
                && LockOwner.leases(context).stream()
                        .anyMatch(lease -> lease.names().containsAll(request.names()));
    }

    private Mono<Void> judge(LockRequest request, LaterCall call) {
        String where = call.method().getDeclaringClass().getName() + "."
                + call.method().getName();
        if (mode != InTransaction.WARN) {
            return Mono.error(new IllegalStateException("Lock '" + request.name() + "' of " + where
                    + " is not taken, because a reactive transaction is already active, and it cannot be held until that"
                    + " completes; put @DistributedLock on the method that begins the transaction, or set"
                    + " baton.in-transaction=warn to have it given back before the commit"));
        }
        if (warned.add(call.method())) {
            logger.warn(
                    "Lock '{}' of {} is taken inside a reactive transaction that is already active: it is given back before the"
                            + " commit, and the next holder may not see what this one wrote. Put @DistributedLock on the method"
                            + " that begins the transaction. Said once per method.",
                    request.name(),
                    where);
        }
        return Mono.empty();
    }

    /** Has the commit of the current transaction, if there is one, ask whether the locks around it are still held. */
    static Mono<Void> vetoCommit() {
        return Mono.deferContextual(context -> {
            List<Lease> leases = LockOwner.leases(context);
            return active().doOnNext(active -> active.registerSynchronization(new HeldAtCommit(leases)))
                    .then();
        });
    }

    /** Empty: there is no transaction. */
    private static Mono<TransactionSynchronizationManager> active() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .filter(manager -> manager.isSynchronizationActive() && manager.isActualTransactionActive());
    }

    /** An error before the commit makes the transaction manager roll back. */
    private record HeldAtCommit(List<Lease> leases) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Flux.fromIterable(leases)
                    .concatMap(lease -> Mono.fromCompletionStage(lease.verifyAsync()))
                    .then();
        }
    }
}
