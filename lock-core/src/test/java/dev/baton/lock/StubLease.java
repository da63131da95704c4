package dev.baton.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A lease that has only an owner; every other method fails. */
record StubLease(String owner) implements Lease {

    @Override
    public List<String> names() {
        throw unsupported();
    }

    @Override
    public List<String> redisKeys() {
        throw unsupported();
    }

    @Override
    public long fencingToken() {
        throw unsupported();
    }

    @Override
    public boolean isHeld() {
        throw unsupported();
    }

    @Override
    public boolean isExpired() {
        throw unsupported();
    }

    @Override
    public Duration remaining() {
        throw unsupported();
    }

    @Override
    public Instant expiresAt() {
        throw unsupported();
    }

    @Override
    public boolean renew() {
        throw unsupported();
    }

    @Override
    public boolean renew(Duration expire) {
        throw unsupported();
    }

    @Override
    public Optional<Lease> renewOrReacquire(Duration expire) {
        throw unsupported();
    }

    @Override
    public int attempts() {
        throw unsupported();
    }

    @Override
    public Duration waited() {
        throw unsupported();
    }

    @Override
    public boolean contended() {
        throw unsupported();
    }

    @Override
    public boolean release() {
        throw unsupported();
    }

    @Override
    public void close() {
        throw unsupported();
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        throw unsupported();
    }

    @Override
    public CompletionStage<@Nullable Void> closeAsync() {
        throw unsupported();
    }

    @Override
    public void onLost(Runnable action) {
        throw unsupported();
    }

    @Override
    public void onRequested(Runnable action) {
        throw unsupported();
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("a lease that is only passed on");
    }
}
