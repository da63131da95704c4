package dev.baton.lock.interceptor.async;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Executes methods that return a stage: the lock is held until the stage completes. */
final class CompletionStageAdapter implements AsyncResultAdapter {

    /** Excludes custom subtypes, because the caller receives Baton's own future. */
    @Override
    public boolean supports(Class<?> returned) {
        return returned == CompletionStage.class || returned == CompletableFuture.class;
    }

    @Override
    public Object execute(LockOperations operations, LockRequest request, AsyncInvocation call) {
        CallOwner owner = CallOwner.of(request);
        CompletionStageInvocation body = new CompletionStageInvocation(call, owner);
        return new Running(call).start(operations.executeAsync(request.owner(owner.id()), body));
    }

    /** One call, from its start until its caller has the result. */
    private static final class Running {

        private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        /**
         * The future to which a cancellation is passed on: that of the lock and the method, then perhaps that of its
         * handler.
         */
        private final AtomicReference<@Nullable CompletableFuture<?>> current = new AtomicReference<>();

        private final AsyncInvocation call;

        Running(AsyncInvocation call) {
            this.call = call;
        }

        CompletableFuture<@Nullable Object> start(CompletionStage<@Nullable Object> locked) {
            CompletableFuture<@Nullable Object> execution = follow(locked);
            result.whenComplete((value, failure) -> {
                cancelCurrent();
                leaveQueue(execution, value, failure);
            });
            execution.whenComplete((value, failure) -> {
                if (unwrapped(failure) instanceof LockTimeoutException timeout
                        && !call.hasBegun()
                        && !result.isDone()) {
                    answer(timeout);
                } else {
                    end(value, failure);
                }
            });
            return result;
        }

        /**
         * Leaves the queue if the caller has ended its future, for instance by {@code orTimeout}. Such a caller needs
         * neither the lock nor the method.
         */
        private void leaveQueue(
                CompletableFuture<@Nullable Object> execution, @Nullable Object value, @Nullable Throwable failure) {
            if (call.hasBegun()) {
                return;
            }
            if (failure == null) {
                execution.complete(value);
            } else {
                execution.completeExceptionally(failure);
            }
        }

        private void answer(LockTimeoutException timeout) {
            try {
                follow((CompletionStage<?>) call.busy(timeout)).whenComplete(this::end);
            } catch (Throwable ex) {
                end(null, ex);
            }
        }

        private <T extends @Nullable Object> CompletableFuture<T> follow(CompletionStage<T> stage) {
            CompletableFuture<T> future = CompletionStageInvocation.future(stage);
            current.set(future);
            cancelCurrent();
            return future;
        }

        private void cancelCurrent() {
            CompletableFuture<?> running = current.get();
            if (result.isCancelled() && running != null) {
                running.cancel(true);
            }
        }

        private void end(@Nullable Object value, @Nullable Throwable failure) {
            Throwable cause = unwrapped(failure);
            if (cause == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(cause);
            }
        }

        private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
            Throwable cause = failure == null ? null : failure.getCause();
            return failure instanceof CompletionException && cause != null ? cause : failure;
        }
    }
}
