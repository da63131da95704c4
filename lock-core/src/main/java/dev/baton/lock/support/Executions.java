package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.TransactionRule;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Does work under a lock, which is given back when the work is done, or when the transaction around it completes. */
final class Executions {

    private final Acquisitions acquisitions;
    private final Observed observed;
    private final LockDefaults defaults;
    /** Null: there are no transactions. */
    private final @Nullable TransactionRule transactions;

    Executions(
            Acquisitions acquisitions,
            Observed observed,
            LockDefaults defaults,
            @Nullable TransactionRule transactions) {
        this.acquisitions = acquisitions;
        this.observed = observed;
        this.defaults = defaults;
        this.transactions = transactions;
    }

    /** The same for work whose lock is given back with it, whatever transaction is active. */
    Executions ignoringTransactions() {
        return new Executions(acquisitions, observed, defaults, null);
    }

    <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        TransactionRule outlasting = outlasting(request);
        if (outlasting != null) {
            return outlasting.callWith(acquire(request, acquisitions::acquire), action);
        }
        return observed.<T, T, E>execute(
                request, action, (asked, work, refused) -> callWith(acquisitions.acquire(asked), work));
    }

    <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        TransactionRule outlasting = outlasting(request);
        if (outlasting == null) {
            return observed.<LockResult<T>, T, E>execute(request, action, this::tryCall);
        }
        Lease lease;
        try {
            lease = acquire(request, acquisitions::tryAcquire);
        } catch (LockTimeoutException ex) {
            return busy(ex);
        }
        return new LockResult.Executed<>(outlasting.callWith(lease, action));
    }

    /** What releases the lock of this request; null: the end of the work does. */
    private @Nullable TransactionRule outlasting(LockRequest request) {
        return transactions != null && transactions.outlastsWork(request, () -> acquisitions.isHeldByThread(request))
                ? transactions
                : null;
    }

    private Lease acquire(LockRequest request, Function<LockRequest, LeaseHandle> acquiring) {
        return observed.acquire(
                LeaseRules.withoutWork(TransactionRule.outlasting(request), defaults.onLost()), acquiring);
    }

    private <T extends @Nullable Object, E extends Exception> LockResult<T> tryCall(
            LockRequest request, LockCallback<T, E> action, Consumer<LockTimeoutException> refused) throws E {
        LeaseHandle lease;
        try {
            lease = acquisitions.tryAcquire(request);
        } catch (LockTimeoutException ex) {
            refused.accept(ex);
            return busy(ex);
        }
        return new LockResult.Executed<>(callWith(lease, action));
    }

    private static <T extends @Nullable Object> LockResult<T> busy(LockTimeoutException ex) {
        return new LockResult.Busy<>(
                ex.getHolder().orElse(null),
                ex.getHolder().map(holder -> holder.remaining()).orElse(Duration.ZERO));
    }

    private static <T extends @Nullable Object, E extends Exception> T callWith(
            LeaseHandle lease, LockCallback<T, E> action) throws E {
        T result;
        try {
            result = lease.interrupts()
                    ? LossInterrupts.callWith(lease.hold(), lease, action)
                    : LockContext.callWith(lease, action);
        } catch (Throwable thrown) {
            try {
                lease.close();
            } catch (RuntimeException ours) {
                Suppressing.add(thrown, ours);
            }
            throw thrown;
        }
        lease.finish(result);
        return result;
    }
}
