package dev.baton.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A lease that is only passed on: it has an owner, and whoever asks more of it fails. */
record StubLease(String owner) implements Lease {

    @Override
    public List<String> names() {
        throw notForThis();
    }

    @Override
    public List<String> redisKeys() {
        throw notForThis();
    }

    @Override
    public long fencingToken() {
        throw notForThis();
    }

    @Override
    public boolean isHeld() {
        throw notForThis();
    }

    @Override
    public boolean isExpired() {
        throw notForThis();
    }

    @Override
    public Duration remaining() {
        throw notForThis();
    }

    @Override
    public Instant expiresAt() {
        throw notForThis();
    }

    @Override
    public boolean renew() {
        throw notForThis();
    }

    @Override
    public boolean renew(Duration expire) {
        throw notForThis();
    }

    @Override
    public Optional<Lease> renewOrReacquire(Duration expire) {
        throw notForThis();
    }

    @Override
    public int attempts() {
        throw notForThis();
    }

    @Override
    public Duration waited() {
        throw notForThis();
    }

    @Override
    public boolean contended() {
        throw notForThis();
    }

    @Override
    public boolean release() {
        throw notForThis();
    }

    @Override
    public void close() {
        throw notForThis();
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        throw notForThis();
    }

    @Override
    public CompletionStage<@Nullable Void> closeAsync() {
        throw notForThis();
    }

    @Override
    public void onLost(Runnable action) {
        throw notForThis();
    }

    private static UnsupportedOperationException notForThis() {
        return new UnsupportedOperationException("a lease that is only passed on");
    }
}
