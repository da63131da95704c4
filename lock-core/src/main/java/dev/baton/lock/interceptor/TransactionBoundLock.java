package dev.baton.lock.interceptor;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
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
 * Keeps a lock that is taken inside a transaction until that transaction completes: given back when the method returns,
 * the next holder would not see what has not been committed yet. Only to be loaded where spring-tx is present.
 */
final class TransactionBoundLock {

    private static final Logger logger = LoggerFactory.getLogger(TransactionBoundLock.class);

    private final Set<Method> warned = ConcurrentHashMap.newKeySet();

    /** Whether the current thread works in a transaction whose end can be awaited. */
    static boolean isTransactionActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Takes the lock, does the work, and leaves the release to the end of the transaction, also if the work throws. */
    <T extends @Nullable Object> T execute(
            LockOperations operations, LockRequest request, LockCallback<T, Exception> body, Method method)
            throws Exception {
        warnOnce(request, method);
        Lease lease = operations.acquire(request);
        try {
            TransactionSynchronizationManager.registerSynchronization(new ReleaseAtCompletion(lease));
        } catch (RuntimeException | Error ex) {
            lease.release();
            throw ex;
        }
        return LockContext.callWith(lease, body);
    }

    private void warnOnce(LockRequest request, Method method) {
        if (warned.add(method)) {
            logger.warn(
                    "Lock '{}' of {}.{} is taken inside a transaction that is already active: it is held until that transaction"
                            + " completes, not only while the method runs, and the transaction may have read what the last holder"
                            + " has changed since. Put @DistributedLock on the method that begins the transaction. Said once"
                            + " per method.",
                    request.name(),
                    method.getDeclaringClass().getName(),
                    method.getName());
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
            if (lease.isExpired()) {
                vetoed = true;
                lease.close();
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
