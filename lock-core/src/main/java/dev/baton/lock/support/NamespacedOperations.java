package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Delegates to other operations, with every request moved into a nested namespace. */
final class NamespacedOperations implements LockOperations {

    private final LockOperations operations;
    private final String outer;
    private final String namespace;

    /**
     * Creates operations.
     *
     * @param operations the operations of a template
     * @param outer the namespace of these operations, for people; empty if there is none
     * @param namespace the namespace below it
     */
    NamespacedOperations(LockOperations operations, String outer, String namespace) {
        this.operations = operations;
        this.outer = outer;
        this.namespace = LockNames.checkNestedNamespace(namespace);
    }

    private LockRequest nested(LockRequest request) {
        String own = request.namespace();
        return request.namespace(own == null ? namespace : namespace + ":" + own);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        return operations.execute(nested(request), action);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        return operations.tryExecute(nested(request), action);
    }

    @Override
    public Lease acquire(LockRequest request) {
        return operations.acquire(nested(request));
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        return operations.tryAcquire(nested(request));
    }

    @Override
    public Lease forceAcquire(LockRequest request) {
        return operations.forceAcquire(nested(request));
    }

    @Override
    public CompletionStage<Lease> forceAcquireAsync(LockRequest request) {
        return operations.forceAcquireAsync(nested(request));
    }

    @Override
    public void wakeUp(LockRequest request, String condition, String owner) {
        operations.wakeUp(nested(request), condition, owner);
    }

    @Override
    public boolean isHeldByCurrentThread(LockRequest request) {
        return operations.isHeldByCurrentThread(nested(request));
    }

    @Override
    public LockState inspect(LockRequest request) {
        return operations.inspect(nested(request));
    }

    @Override
    public boolean isLocked(LockRequest request) {
        return operations.isLocked(nested(request));
    }

    @Override
    public Stream<LockState> list(String pattern, @Nullable String own) {
        return operations.list(pattern, own == null ? namespace : namespace + ":" + own);
    }

    @Override
    public boolean forceRelease(LockRequest request) {
        return operations.forceRelease(nested(request));
    }

    @Override
    public LockState.Permits overrideSize(LockRequest request, int size, Duration duration) {
        return operations.overrideSize(nested(request), size, duration);
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LockRequest request) {
        return operations.acquireAsync(nested(request));
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work) {
        return operations.executeAsync(nested(request), work);
    }

    @Override
    public LockOperations ignoringTransactions() {
        return new NamespacedOperations(operations.ignoringTransactions(), outer, namespace);
    }

    @Override
    public LockOperations withNamespace(String nested) {
        return new NamespacedOperations(operations, outer, namespace + ":" + LockNames.checkNestedNamespace(nested));
    }

    @Override
    public String toString() {
        return "LockOperations[namespace=" + (outer.isEmpty() ? "" : outer + ":") + namespace
                + (operations instanceof IgnoringTransactions ? ", ignoringTransactions]" : "]");
    }
}
