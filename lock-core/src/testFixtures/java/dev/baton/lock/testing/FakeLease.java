package dev.baton.lock.testing;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A lease that a test can end. */
public final class FakeLease implements Lease {

    private enum State {
        HELD,
        RELEASED,
        LOST
    }

    private final String name;
    private final long token;
    private final Journal journal;
    private volatile State state = State.HELD;

    FakeLease(String name, long token, Journal journal) {
        this.name = name;
        this.token = token;
        this.journal = journal;
    }

    /** Ends the lease before its holder releases it. */
    public void lose() {
        state = State.LOST;
    }

    @Override
    public List<String> names() {
        return List.of(name);
    }

    @Override
    public List<String> redisKeys() {
        return List.of("lock:{" + name + "}");
    }

    @Override
    public String owner() {
        return "fake";
    }

    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public boolean isHeld() {
        return state == State.HELD;
    }

    @Override
    public boolean isExpired() {
        return state == State.LOST;
    }

    @Override
    public Duration remaining() {
        return isHeld() ? Duration.ofSeconds(30) : Duration.ZERO;
    }

    @Override
    public Instant expiresAt() {
        return Instant.EPOCH;
    }

    @Override
    public boolean renew() {
        return isHeld();
    }

    @Override
    public boolean renew(Duration expire) {
        return isHeld();
    }

    @Override
    public Optional<Lease> renewOrReacquire(Duration expire) {
        return isHeld() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public int attempts() {
        return 1;
    }

    @Override
    public Duration waited() {
        return Duration.ZERO;
    }

    @Override
    public boolean contended() {
        return false;
    }

    @Override
    public boolean release() {
        if (state != State.HELD) {
            return false;
        }
        state = State.RELEASED;
        journal.add("release " + name);
        return true;
    }

    @Override
    public void close() {
        if (!release() && state == State.LOST) {
            throw new LockLostException(name, owner(), token, Duration.ofMillis(7), "the test took it", null);
        }
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        return CompletableFuture.completedFuture(release());
    }

    @Override
    public CompletionStage<@Nullable Void> closeAsync() {
        return CompletableFuture.runAsync(this::close, Runnable::run);
    }

    @Override
    public void onLost(Runnable action) {
        throw new UnsupportedOperationException("not used by the annotation");
    }

    @Override
    public void onRequested(Runnable action) {
        throw new UnsupportedOperationException("not used by the annotation");
    }
}
