package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockRequest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes work that continues after the method has returned. The lock is held until the work's stage completes. Never
 * blocks.
 */
final class AsyncExecution {

    private final LeaseAcquirer acquirer;

    AsyncExecution(LeaseAcquirer acquirer) {
        this.acquirer = acquirer;
    }

    /**
     * Requests a lease.
     *
     * @param observation the observation of the lease, or {@code null} if the lease is not observed
     */
    CompletableFuture<Lease> acquire(LockRequest request, @Nullable LeaseObservation observation) {
        return start(() -> acquirer.begin(request, observation), observation);
    }

    /** Takes a lease from its holder, as {@link #acquire} requests one. */
    CompletableFuture<Lease> forceAcquire(LockRequest request, @Nullable LeaseObservation observation) {
        return start(() -> acquirer.beginByForce(request, observation), observation);
    }

    private static CompletableFuture<Lease> start(
            Supplier<AsyncAcquisition> begin, @Nullable LeaseObservation observation) {
        try {
            return begin.get().start();
        } catch (RuntimeException ex) {
            if (observation != null) {
                observation.ended(ex);
            }
            return CompletableFuture.failedFuture(ex);
        }
    }

    <T extends @Nullable Object> CompletableFuture<T> execute(LockRequest request, LockAsyncCallback<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<Lease> leases = acquire(request, null);
        AtomicReference<CompletableFuture<?>> current = new AtomicReference<>(leases);
        leases.whenComplete((lease, failure) -> {
            if (failure != null) {
                result.completeExceptionally(AsyncAcquisition.unwrapped(failure));
                return;
            }
            CompletableFuture<T> working =
                    result.isDone() ? CompletableFuture.failedFuture(new CancellationException()) : start(lease, work);
            current.set(working);
            if (result.isCancelled()) {
                working.cancel(true);
            }
            working.whenComplete((value, thrown) -> end((DefaultLease) lease, value, thrown, result));
        });
        result.whenComplete((value, failure) -> {
            // a caller that gives up before the grant, by a time-out of the stage for instance, leaves the queue
            leases.cancel(true);
            if (result.isCancelled()) {
                current.get().cancel(true);
            }
        });
        return result;
    }

    private static <T extends @Nullable Object> CompletableFuture<T> start(Lease lease, LockAsyncCallback<T> work) {
        try {
            CompletionStage<T> stage = LockContext.callWith(lease, work::doWithLock);
            return stage.toCompletableFuture();
        } catch (Exception | Error ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private static <T extends @Nullable Object> void end(
            DefaultLease lease, T value, @Nullable Throwable thrown, CompletableFuture<T> result) {
        lease.finishAsync(value).whenComplete((released, ours) -> {
            if (thrown == null && ours == null) {
                result.complete(value);
                return;
            }
            Throwable failure = AsyncAcquisition.unwrapped(thrown == null ? ours : thrown);
            if (thrown != null && ours != null) {
                LockFailures.suppress(failure, AsyncAcquisition.unwrapped(ours));
            }
            result.completeExceptionally(failure);
        });
    }
}
