package dev.baton.lock.interceptor.transaction;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.TransactionRule;
import dev.baton.lock.interceptor.InTransaction;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Acquires a lock inside an already active transaction. By default the lock is held until that transaction completes.
 * If the lock were released when the method returns or the work is done, the next holder would not see the uncommitted
 * changes. Must be loaded only where spring-tx is present.
 */
public final class TransactionBoundLock implements TransactionRule {

    private static final Logger logger = LoggerFactory.getLogger(TransactionBoundLock.class);

    /**
     * The limit of methods and scopes to remember as warned of. More are a sign of scopes that vary, which must not
     * fill the memory.
     */
    private static final int MOST_WARNINGS = 1_000;

    /** The elements are {@link Method}s, or scopes of work. */
    private final Set<Object> warned = ConcurrentHashMap.newKeySet();

    private final InTransaction mode;

    TransactionBoundLock(InTransaction mode) {
        this.mode = mode;
    }

    /** Returns whether the current thread works in a transaction whose end can be awaited. */
    public static boolean isTransactionActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Acquires the lock of a method as the mode specifies, and executes the method. */
    @SuppressWarnings("NullAway") // only NullAway's JSpecify mode sees that T may be null
    public <T extends @Nullable Object> T execute(
            LockOperations operations, LockRequest request, LockCallback<T, Exception> body, Method method)
            throws Exception {
        boolean outlasting =
                judge(request, () -> operations.isHeldByCurrentThread(request), method, Subject.of(method));
        return outlasting
                ? callWith(operations.acquire(TransactionRule.outlasting(request)), body)
                : operations.ignoringTransactions().execute(request, body);
    }

    @Override
    public boolean outlastsWork(LockRequest request, BooleanSupplier held) {
        return isTransactionActive()
                && judge(request, held, request.targets().get(0).scope(), Subject.WORK);
    }

    /**
     * Returns whether the lock is kept beyond its method or work. On re-entry, the method or work that acquired the
     * lock first decides when the lock is released.
     */
    private boolean judge(LockRequest request, BooleanSupplier held, Object warnedOf, Subject subject) {
        if (!held.getAsBoolean()) {
            if (mode == InTransaction.REFUSE) {
                throw subject.refusal(request);
            }
            if (warned.size() < MOST_WARNINGS && warned.add(warnedOf)) {
                logger.warn(subject.warning(request, mode));
            }
        }
        return mode == InTransaction.RELEASE;
    }

    @Override
    public void releaseAtCompletion(Lease lease) {
        TransactionSynchronizationManager.registerSynchronization(new ReleaseAtCompletion(lease));
    }

    /**
     * The purpose of the lock, in the words of the messages.
     *
     * @param ofMethod the method that has the lock; empty for work
     * @param meanwhile the action during which the lock would be held without a transaction
     * @param then the event after which the lock would be released
     * @param remedy what to do instead
     * @param each the unit for which a warning is logged once
     */
    private record Subject(String ofMethod, String meanwhile, String then, String remedy, String each) {

        static final Subject WORK = new Subject(
                "",
                "the work runs",
                "the work is done",
                "acquire the lock first, and begin the transaction in its work",
                "scope");

        static Subject of(Method method) {
            return new Subject(
                    " of " + method.getDeclaringClass().getName() + "." + method.getName(),
                    "the method runs",
                    "the method returns",
                    "put @DistributedLock on the method that begins the transaction",
                    "method");
        }

        IllegalStateException refusal(LockRequest request) {
            return new IllegalStateException("Lock '" + request.title() + "'" + ofMethod
                    + " is not acquired, because a transaction is already active (baton.in-transaction=refuse); "
                    + remedy);
        }

        String warning(LockRequest request, InTransaction mode) {
            String what = mode == InTransaction.RELEASE
                    ? "it is held until that transaction completes, not only while " + meanwhile
                            + ", and the transaction may have read what the last holder has changed since"
                    : "it is released when " + then
                            + ", before the commit, and the next holder may not see what this one wrote";
            return "Lock '" + request.title() + "'" + ofMethod
                    + " is acquired inside a transaction that is already active: " + what + ". "
                    + Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1) + ". Logged once per " + each + ".";
        }
    }

    private static final class ReleaseAtCompletion implements TransactionSynchronization {

        private final Lease lease;

        /** Written and read by the thread of the transaction. */
        private boolean vetoed;

        ReleaseAtCompletion(Lease lease) {
            this.lease = lease;
        }

        /** Runs at the last moment at which the loss of the lock can still undo the changes. */
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
                        "A lock was lost before the transaction that it protected had {}: another holder may have worked on the"
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
