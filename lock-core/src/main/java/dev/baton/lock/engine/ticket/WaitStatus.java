package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Describes the lock for which an acquisition waits, as the last answers to the ticket that asks on its behalf show it. */
public interface WaitStatus {

    /** The status before anything was asked. */
    WaitStatus NOTHING_KNOWN = new WaitStatus() {
        @Override
        public @Nullable LockHolder holder(long now) {
            return null;
        }

        @Override
        public boolean isContended() {
            return false;
        }

        @Override
        public boolean isOvertaken(long token) {
            return false;
        }

        @Override
        public @Nullable StoreException failure() {
            return null;
        }

        @Override
        public boolean isUnanswered(long nanos, long now) {
            return false;
        }
    };

    /** Returns the holder in the way, or {@code null} if none is known. */
    @Nullable
    LockHolder holder(long now);

    /** Returns whether another holder or waiter is known to be in the way. */
    boolean isContended();

    /** Returns whether the grant with this token is known to have gone to another. */
    boolean isOvertaken(long token);

    /** Returns why the last acquire was not answered, or {@code null} if it was, or none was needed. */
    @Nullable
    StoreException failure();

    /** Returns whether an acquire has been without an answer for at least this many nanoseconds. */
    boolean isUnanswered(long nanos, long now);
}
