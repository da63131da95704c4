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

/** Does work under a lock, which is released when the work is done, or when the surrounding transaction completes. */
final class Executions {

    private final LeaseAcquirer acquirer;
    private final ObservationSupport observations;
    private final RequestDefaults defaults;
    /** The rule for locks in transactions, or {@code null} if transactions do not matter. */
    private final @Nullable TransactionRule transactions;

    Executions(
            LeaseAcquirer acquirer,
            ObservationSupport observations,
            RequestDefaults defaults,
            @Nullable TransactionRule transactions) {
        this.acquirer = acquirer;
        this.observations = observations;
        this.defaults = defaults;
        this.transactions = transactions;
    }

    /** Returns executions that release the lock when the work is done, whatever transaction is active. */
    Executions ignoringTransactions() {
        return new Executions(acquirer, observations, defaults, null);
    }

    <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        TransactionRule outlasting = outlasting(request);
        if (outlasting != null) {
            return outlasting.callWith(acquire(request, acquirer::acquire), action);
        }
        return observations.<T, T, E>execute(
                request, action, (asked, work, refused) -> callWith(acquirer.acquire(asked), work));
    }

    <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        TransactionRule outlasting = outlasting(request);
        if (outlasting == null) {
            return observations.<LockResult<T>, T, E>execute(request, action, this::tryCall);
        }
        Lease lease;
        try {
            lease = acquire(request, acquirer::tryAcquire);
        } catch (LockTimeoutException ex) {
            return busy(ex);
        }
        return new LockResult.Executed<>(outlasting.callWith(lease, action));
    }

    /** Returns the rule that releases the lock of this request, or {@code null} if the end of the work does. */
    private @Nullable TransactionRule outlasting(LockRequest request) {
        return transactions != null && transactions.outlastsWork(request, () -> acquirer.isHeldByThread(request))
                ? transactions
                : null;
    }

    private Lease acquire(LockRequest request, Function<LockRequest, DefaultLease> acquiring) {
        return observations.acquire(
                RequestValidator.withoutWork(TransactionRule.outlasting(request), defaults.onLost()), acquiring);
    }

    private <T extends @Nullable Object, E extends Exception> LockResult<T> tryCall(
            LockRequest request, LockCallback<T, E> action, Consumer<LockTimeoutException> refused) throws E {
        DefaultLease lease;
        try {
            lease = acquirer.tryAcquire(request);
        } catch (LockTimeoutException ex) {
            refused.accept(ex);
            return busy(ex);
        }
        return new LockResult.Executed<>(callWith(lease, action));
    }

    private static <T extends @Nullable Object> LockResult<T> busy(LockTimeoutException ex) {
        return new LockResult.Busy<>(
                ex.holder().orElse(null),
                ex.holder().map(holder -> holder.remaining()).orElse(Duration.ZERO));
    }

    private static <T extends @Nullable Object, E extends Exception> T callWith(
            DefaultLease lease, LockCallback<T, E> action) throws E {
        T result;
        try {
            result = lease.interrupts()
                    ? LossInterrupter.callWith(lease.hold(), lease, action)
                    : LockContext.callWith(lease, action);
        } catch (Throwable thrown) {
            try {
                lease.close();
            } catch (RuntimeException ours) {
                LockFailures.suppress(thrown, ours);
            }
            throw thrown;
        }
        lease.finish(result);
        return result;
    }
}
