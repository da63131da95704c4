package dev.baton.lock.interceptor.async;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method that returns a stage in the thread in which its lock is granted, with the thread-locals of its caller.
 */
final class CompletionStageInvocation implements LockAsyncCallback<@Nullable Object> {

    private final AsyncInvocation call;
    private final CallOwner owner;
    private final Runnable inCallersContext;

    /** Written and read by the thread that calls the method. */
    private @Nullable Lease lease;

    private CompletableFuture<@Nullable Object> started = new CompletableFuture<>();

    CompletionStageInvocation(AsyncInvocation call, CallOwner owner) {
        this.call = call;
        this.owner = owner;
        this.inCallersContext = CallerContext.capture(this::start);
    }

    @Override
    public CompletionStage<@Nullable Object> doWithLock(Lease lease) {
        this.lease = lease;
        owner.run(inCallersContext);
        return started;
    }

    private void start() {
        Lease granted = lease;
        if (granted == null) {
            throw new IllegalStateException("called without a lease");
        }
        try {
            started = future((CompletionStage<?>) call.proceed(granted));
        } catch (Throwable ex) {
            started = CompletableFuture.failedFuture(ex);
        }
    }

    /** Returns the future of a stage, or a future that follows the stage if it has none. */
    @SuppressWarnings("unchecked") // the stage completes its future with a T
    static <T extends @Nullable Object> CompletableFuture<T> future(CompletionStage<? extends T> stage) {
        try {
            return (CompletableFuture<T>) stage.toCompletableFuture();
        } catch (UnsupportedOperationException ex) {
            CompletableFuture<T> following = new CompletableFuture<>();
            stage.whenComplete((value, failure) -> {
                if (failure == null) {
                    following.complete(value);
                } else {
                    following.completeExceptionally(failure);
                }
            });
            return following;
        }
    }
}
