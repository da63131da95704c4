package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.WaitTime;
import dev.baton.lock.store.LockStore;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Placeholder of the template's shape. */
public final class LockTemplate implements LockOperations, AutoCloseable {

    private LockTemplate(Builder builder) {}

    public static Builder builder(LockStore store) {
        return new Builder(store);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Lease acquire(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    /** Builds a template; what is not set has the default of {@code application.yml}. */
    public static final class Builder {

        private final LockStore store;

        private Builder(LockStore store) {
            this.store = store;
        }

        public Builder expire(Duration expire) {
            return this;
        }

        public Builder maxHold(Duration maxHold) {
            return this;
        }

        public Builder waitTime(WaitTime waitTime) {
            return this;
        }

        public Builder commandTimeout(Duration commandTimeout) {
            return this;
        }

        public Builder recheck(Duration recheck) {
            return this;
        }

        public LockTemplate build() {
            return new LockTemplate(this);
        }
    }
}
