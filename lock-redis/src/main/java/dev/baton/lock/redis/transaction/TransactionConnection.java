package dev.baton.lock.redis.transaction;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection on which keys are watched and changed in one step, for one transaction at a time. The connection never
 * reconnects on its own: the watched keys would be forgotten unnoticed. For one thread at a time, which blocks.
 */
public interface TransactionConnection {

    /**
     * Sends commands, each of which is a name and its arguments, and waits for the answers. Each answer is a Long,
     * String, Double, {@code null}, or a List of those.
     *
     * @throws RefusedException if one of the answers is an error
     */
    List<@Nullable Object> ask(List<List<String>> commands);

    /**
     * Carries out the commands in one step, unless a watched key has changed. Returns the answers, or {@code null} if a
     * watched key has changed, and nothing was done. No key is watched afterwards.
     *
     * @throws RefusedException if Redis does not carry out the commands, or if one of the answers is an error
     */
    @Nullable
    List<@Nullable Object> exec(List<List<String>> commands);

    /** As {@link #exec}. Returns {@code false} if a watched key has changed, and nothing was done. */
    default boolean commit(List<List<String>> writes) {
        return exec(writes) != null;
    }

    /** Gives the connection back with no key watched, or closes it for good if it failed. */
    void close(boolean failed);

    /** Source of such connections. */
    interface Source {

        /** Returns the source of connections for a client library. */
        static Source of(RedisConnectionFactory factory) {
            return factory instanceof LettuceConnectionFactory lettuce
                    ? new LettuceTransactions(lettuce)
                    : new JedisTransactions(factory);
        }

        /** Opens or borrows a connection, which may take long. */
        TransactionConnection open();

        /** Closes the source: no more connections are needed. */
        void close();
    }

    /** Reports that Redis answered with an error. */
    final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Creates the exception for the error that a client library throws. */
        public RefusedException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }
}
