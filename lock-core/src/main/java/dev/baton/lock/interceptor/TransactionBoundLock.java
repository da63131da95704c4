package dev.baton.lock.interceptor;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Takes a lock inside a transaction that is already active. By default it is kept until that transaction completes: given
 * back when the method returns, the next holder would not see what has not been committed yet. Only to be loaded where
 * spring-tx is present.
 */
final class TransactionBoundLock {

    private static final Logger logger = LoggerFactory.getLogger(TransactionBoundLock.class);

    private static final String KEPT =
            "it is held until that transaction completes, not only while the method runs, and the transaction may have read"
                    + " what the last holder has changed since";
    private static final String GIVEN_BACK =
            "it is given back when the method returns, before the commit, and the next holder may not see what this one wrote";

    private final Set<Method> warned = ConcurrentHashMap.newKeySet();
    private final InTransaction mode;

    TransactionBoundLock(InTransaction mode) {
        this.mode = mode;
    }

    /** Whether the current thread works in a transaction whose end can be awaited. */
    static boolean isTransactionActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Takes the lock as the mode says, and does the work. */
    @SuppressWarnings("NullAway") // only its JSpecify mode sees that T may be null
    <T extends @Nullable Object> T execute(
            LockOperations operations, LockRequest request, LockCallback<T, Exception> body, Method method)
            throws Exception {
        boolean held = isHeld(request);
        return switch (mode) {
            case RELEASE -> {
                if (!held) {
                    warnOnce(KEPT, request, method);
                }
                yield executeUntilCompletion(operations, request, body);
            }
            case WARN -> {
                if (!held) {
                    warnOnce(GIVEN_BACK, request, method);
                }
                yield operations.execute(request, body);
            }
            case REFUSE -> {
                if (!held) {
                    throw refusal(request, method);
                }
                yield operations.execute(request, body);
            }
        };
    }

    /** Whether this is a re-entry: then who took the lock first answers for when it is given back. */
    private static boolean isHeld(LockRequest request) {
        return request.namespace() == null
                && request.owner() == null
                && LockContext.findLease()
                        .filter(lease -> lease.names().containsAll(request.names()))
                        .isPresent();
    }

    /** Leaves the release to the end of the transaction, also if the work throws. */
    private static <T extends @Nullable Object> T executeUntilCompletion(
            LockOperations operations, LockRequest request, LockCallback<T, Exception> body) throws Exception {
        Lease lease = operations.acquire(request);
        try {
            TransactionSynchronizationManager.registerSynchronization(new ReleaseAtCompletion(lease));
        } catch (RuntimeException | Error ex) {
            lease.release();
            throw ex;
        }
        try (LockObserver.Scope scope = lease.openScope()) {
            try {
                return LockContext.callWith(lease, body);
            } catch (Throwable thrown) {
                scope.failed(thrown);
                throw thrown;
            }
        }
    }

    private static IllegalStateException refusal(LockRequest request, Method method) {
        return new IllegalStateException("Lock '" + request.name() + "' of "
                + method.getDeclaringClass().getName() + "." + method.getName()
                + " is not taken, because a transaction is already active (baton.in-transaction=refuse); put"
                + " @DistributedLock on the method that begins the transaction");
    }

    private void warnOnce(String what, LockRequest request, Method method) {
        if (warned.add(method)) {
            logger.warn(
                    "Lock '{}' of {}.{} is taken inside a transaction that is already active: {}. Put @DistributedLock on the"
                            + " method that begins the transaction. Said once per method.",
                    request.name(),
                    method.getDeclaringClass().getName(),
                    method.getName(),
                    what);
        }
    }

    private static final class ReleaseAtCompletion implements TransactionSynchronization {

        private final Lease lease;

        /** Written and read by the thread of the transaction. */
        private boolean vetoed;

        ReleaseAtCompletion(Lease lease) {
            this.lease = lease;
        }

        /** The last moment at which the loss of the lock can still undo what was done. */
        @Override
        public void beforeCommit(boolean readOnly) {
            try {
                lease.verify();
            } catch (LockLostException ex) {
                vetoed = true;
                lease.release();
                throw ex;
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (vetoed) {
                return;
            }
            try {
                lease.close();
            } catch (LockLostException ex) {
                logger.error(
                        "A lock was lost before the transaction that it protected had {}: another may have worked on the"
                                + " same data. Check what both wrote; keep the transaction shorter than the lease, or raise expire",
                        outcome(status),
                        ex);
            }
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
