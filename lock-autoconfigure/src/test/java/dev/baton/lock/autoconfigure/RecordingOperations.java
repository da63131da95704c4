package dev.baton.lock.autoconfigure;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Locks nothing, and records the requests. */
final class RecordingOperations implements LockOperations {

    final List<String> names = new CopyOnWriteArrayList<>();

    /** Whether a transaction was active at the acquire and at the release of the lock. */
    final List<Boolean> transactions = new CopyOnWriteArrayList<>();

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        names.add(request.name());
        transactions.add(TransactionSynchronizationManager.isActualTransactionActive());
        try {
            return action.doWithLock(untouchedLease());
        } finally {
            transactions.add(TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Lease acquire(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Lease forceAcquire(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Lease> forceAcquireAsync(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockState inspect(LockRequest request) {
        throw new UnsupportedOperationException("not used by the advice");
    }

    @Override
    public boolean isLocked(LockRequest request) {
        throw new UnsupportedOperationException("not used by the advice");
    }

    @Override
    public Stream<LockState> list(String pattern, @Nullable String namespace) {
        throw new UnsupportedOperationException("not used by the advice");
    }

    @Override
    public boolean forceRelease(LockRequest request) {
        throw new UnsupportedOperationException("not used by the advice");
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        throw new UnsupportedOperationException();
    }

    private static Lease untouchedLease() {
        return (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, args) -> {
                    throw new UnsupportedOperationException("the advice asks no lease for " + method.getName());
                });
    }
}
