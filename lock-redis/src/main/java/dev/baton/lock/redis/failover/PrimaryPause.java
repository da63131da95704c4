package dev.baton.lock.redis.failover;

import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.script.LuaScript;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets no grant count for a while after the primary was replaced or restarted: by then each lease has ended that the new
 * primary may not know. The first process that asks the new primary begins the pause, which the primary stores, so that
 * it holds for every process.
 */
public final class PrimaryPause implements GrantConfirmation {

    private final Duration pause;
    private final Primaries primaries;
    private final LockCommands commands;
    private final @Nullable GrantConfirmation next;
    private final RedisFailures failures;

    /**
     * Creates the pause.
     *
     * @param pause how long no grant counts, positive
     * @param commands renew leases if nothing else confirms the renewals
     * @param next what else confirms grants and renewals, or {@code null} if nothing does
     */
    public PrimaryPause(
            Duration pause,
            Primaries primaries,
            LockCommands commands,
            @Nullable GrantConfirmation next,
            RedisFailures failures) {
        this.pause = pause;
        this.primaries = primaries;
        this.commands = commands;
        this.next = next;
        this.failures = failures;
    }

    @Override
    public CompletableFuture<?> confirm(List<Renewal> grants, long timeoutNanos) {
        long begun = System.nanoTime();
        CompletableFuture<?> counting = remaining(grants.get(0).names().get(0), timeoutNanos)
                .thenAccept(remaining -> {
                    if (remaining > 0) {
                        throw new CompletionException(failures.newPrimary(remaining));
                    }
                });
        return next == null
                ? counting
                : counting.thenCompose(done -> next.confirm(grants, timeoutNanos - (System.nanoTime() - begun)));
    }

    /** Asks the primary how many milliseconds of the pause remain. */
    private CompletableFuture<Long> remaining(LockName name, long timeoutNanos) {
        Primaries.Primary primary = primaries.primary(name);
        if (primary == null) {
            primaries.troubled();
            return CompletableFuture.failedFuture(failures.unknownSlots(null));
        }
        long timeout = Math.max(TimeUnit.MILLISECONDS.toNanos(1), timeoutNanos);
        return primary.transport()
                .send(ScriptCommands.primary(primary.key(), pause), timeout, null)
                .handle((remaining, failure) -> {
                    if (failure == null) {
                        return remaining;
                    }
                    primaries.troubled();
                    // not sent to another master: its answer would say nothing of the one that has granted the lock
                    if (RedisFailures.isMoving(failure)) {
                        throw new CompletionException(failures.moving(LuaScript.PRIMARY.file(), timeout, failure));
                    }
                    throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
                });
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return next == null ? commands.renew(command) : next.renew(command);
    }

    @Override
    public void close() {
        if (next != null) {
            next.close();
        }
    }
}
