package dev.baton.lock.redis.transaction;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One connection on which keys are watched and changed in one step; never two at a time, and none that connects again by
 * itself: what it watched would be forgotten, and nobody would notice. For one thread at a time, which waits.
 */
public interface TransactionConnection {

    /**
     * Sends commands, each of which is a name and its arguments, and waits for the answers: Long, String, Double, null, or a
     * List of those.
     *
     * @throws RefusedException if one of the answers is an error
     */
    List<@Nullable Object> ask(List<List<String>> commands);

    /**
     * Carries the commands out in one step, if nothing has changed what is watched; false: something has, and nothing was done.
     * Nothing is watched any more.
     *
     * @throws RefusedException if Redis does not carry them out
     */
    boolean commit(List<List<String>> writes);

    /** Gives it back, with nothing watched; or, if it failed, for good. */
    void close(boolean failed);

    /** Where such connections come from. */
    interface Source {

        /** Returns the source of connections for a client library. */
        static Source of(RedisConnectionFactory factory) {
            return factory instanceof LettuceConnectionFactory lettuce
                    ? new LettuceTransactions(lettuce)
                    : new JedisTransactions(factory);
        }

        /** Opens or borrows one, which may take long. */
        TransactionConnection open();

        /** No more are needed. */
        void close();
    }

    /** Redis answered with an error. */
    final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RefusedException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }
}
