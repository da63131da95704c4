package dev.baton.lock.testing;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import dev.baton.lock.LockTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Grants every request at once, unless set to busy, and keeps a journal. Every request, including a re-entry, has a
 * lease of its own.
 */
public final class FakeLockOperations implements LockOperations {

    private final List<LockRequest> requests = new ArrayList<>();
    private final List<FakeLease> leases = new ArrayList<>();
    private final Journal journal;
    private volatile boolean busy;
    private volatile @Nullable RuntimeException failure;

    public FakeLockOperations(Journal journal) {
        this.journal = journal;
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        Lease lease = acquire(request);
        T result;
        try {
            result = LockContext.callWith(lease, action);
        } catch (Throwable ex) {
            closeAfter(lease, ex);
            throw ex;
        }
        lease.close();
        return result;
    }

    private static void closeAfter(Lease lease, Throwable thrown) {
        try {
            lease.close();
        } catch (LockLostException lost) {
            thrown.addSuppressed(lost);
        }
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        return new LockResult.Executed<>(execute(request, action));
    }

    /** Sets whether, from now on, every lock is held by another owner. */
    public void setBusy(boolean busy) {
        this.busy = busy;
    }

    /** Sets the failure of every request from now on. */
    public void failWith(RuntimeException thrown) {
        this.failure = thrown;
    }

    @Override
    public synchronized Lease acquire(LockRequest request) {
        requests.add(request);
        if (failure != null) {
            throw failure;
        }
        if (busy) {
            throw new LockTimeoutException(request.name(), Duration.ZERO, null);
        }
        journal.add("acquire " + request.name());
        FakeLease lease = new FakeLease(request.name(), requests.size(), journal);
        leases.add(lease);
        return lease;
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        return Optional.of(acquire(request));
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
        throw new UnsupportedOperationException("not used by the annotation");
    }

    @Override
    public boolean isLocked(LockRequest request) {
        throw new UnsupportedOperationException("not used by the annotation");
    }

    @Override
    public Stream<LockState> list(String pattern, @Nullable String namespace) {
        throw new UnsupportedOperationException("not used by the annotation");
    }

    @Override
    public boolean forceRelease(LockRequest request) {
        throw new UnsupportedOperationException("not used by the annotation");
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work) {
        try {
            Lease lease = acquire(request);
            return LockContext.callWith(lease, work::doWithLock).whenComplete((value, failure) -> lease.release());
        } catch (Exception ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        throw new UnsupportedOperationException("not used by the annotation");
    }

    /** Returns the requests, in order. */
    public synchronized List<LockRequest> requests() {
        return List.copyOf(requests);
    }

    /** Returns the last request. */
    public synchronized LockRequest lastRequest() {
        return requests.get(requests.size() - 1);
    }

    /** Returns the last granted lease. */
    public synchronized FakeLease lastLease() {
        return leases.get(leases.size() - 1);
    }
}
