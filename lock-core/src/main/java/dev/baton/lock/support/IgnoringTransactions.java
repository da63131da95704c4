package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operations of a template that release locks when the work is done, even inside an active transaction. */
final class IgnoringTransactions implements LockOperations {

    private final LockTemplate template;
    private final Executions executions;

    IgnoringTransactions(LockTemplate template, Executions executions) {
        this.template = template;
        this.executions = executions.ignoringTransactions();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        return executions.execute(request, action);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        return executions.tryExecute(request, action);
    }

    @Override
    public Lease acquire(LockRequest request) {
        return template.acquire(request);
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        return template.tryAcquire(request);
    }

    @Override
    public Lease forceAcquire(LockRequest request) {
        return template.forceAcquire(request);
    }

    @Override
    public CompletionStage<Lease> forceAcquireAsync(LockRequest request) {
        return template.forceAcquireAsync(request);
    }

    @Override
    public void wakeUp(LockRequest request, String condition, String owner) {
        template.wakeUp(request, condition, owner);
    }

    @Override
    public boolean isHeldByCurrentThread(LockRequest request) {
        return template.isHeldByCurrentThread(request);
    }

    @Override
    public LockState inspect(LockRequest request) {
        return template.inspect(request);
    }

    @Override
    public boolean isLocked(LockRequest request) {
        return template.isLocked(request);
    }

    @Override
    public Stream<LockState> list(String pattern, @Nullable String namespace) {
        return template.list(pattern, namespace);
    }

    @Override
    public boolean forceRelease(LockRequest request) {
        return template.forceRelease(request);
    }

    @Override
    public LockState.Permits overrideSize(LockRequest request, int size, Duration duration) {
        return template.overrideSize(request, size, duration);
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LockRequest request) {
        return template.acquireAsync(request);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work) {
        return template.executeAsync(request, work);
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        return new NamespacedOperations(this, template.namespace(), namespace);
    }

    @Override
    public String toString() {
        String namespace = template.namespace();
        return "LockOperations[" + (namespace.isEmpty() ? "" : "namespace=" + namespace + ", ")
                + "ignoringTransactions]";
    }
}
