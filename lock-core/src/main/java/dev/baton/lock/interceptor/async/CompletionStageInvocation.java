package dev.baton.lock.interceptor.async;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A method that returns a stage, called where its lock was granted, with what was in the thread of its caller. */
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

    /** Its future, or one that follows it, for a stage that has none. */
    @SuppressWarnings("unchecked") // what completes it completes it with a T
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
