package dev.baton.lock.redis.transaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Provides connections of the Jedis pool, borrowed from the factory itself for one transaction each. Jedis reconnects
 * none of them.
 */
public final class JedisTransactions implements TransactionConnection.Source {

    private static final Logger log = LoggerFactory.getLogger(JedisTransactions.class);

    private final RedisConnectionFactory factory;

    public JedisTransactions(RedisConnectionFactory factory) {
        this.factory = factory;
    }

    @Override
    public TransactionConnection open() {
        RedisConnection borrowed = factory.getConnection();
        try {
            Object connection = borrowed.getNativeConnection();
            if (connection instanceof Jedis jedis) {
                return new OfJedis(borrowed, jedis.getConnection());
            } else if (connection instanceof UnifiedJedis jedis) {
                return new OfUnifiedJedis(borrowed, jedis.transaction(false));
            }
            throw new IllegalStateException("not a Jedis connection: " + connection.getClass());
        } catch (RuntimeException ex) {
            close(borrowed);
            throw ex;
        }
    }

    @Override
    public void close() {
        // the pool belongs to the application
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception ex) {
            log.debug("Giving a connection back failed", ex);
        }
    }

    private static ProtocolCommand name(List<String> command) {
        byte[] name = command.get(0).getBytes(StandardCharsets.UTF_8);
        return () -> name;
    }

    private static byte[][] args(List<String> command) {
        return command.stream()
                .skip(1)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    private static @Nullable Object readable(@Nullable Object reply) {
        if (reply instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return reply instanceof List<?> list
                ? list.stream().map(JedisTransactions::readable).toList()
                : reply;
    }

    /** A connection of the classic Jedis client. */
    private record OfJedis(RedisConnection borrowed, Connection connection) implements TransactionConnection {

        @Override
        public List<@Nullable Object> ask(List<List<String>> commands) {
            send(commands);
            return checked(connection.getMany(commands.size()));
        }

        private void send(List<List<String>> commands) {
            commands.forEach(command -> connection.sendCommand(name(command), args(command)));
        }

        @Override
        public @Nullable List<@Nullable Object> exec(List<List<String>> commands) {
            List<List<String>> all = new ArrayList<>();
            all.add(List.of("MULTI"));
            all.addAll(commands);
            all.add(List.of("EXEC"));
            send(all);
            List<Object> replies = connection.getMany(all.size());
            checked(replies);
            return replies.get(replies.size() - 1) instanceof List<?> answers ? checked(answers) : null;
        }

        @Override
        public void close(boolean failed) {
            if (failed) {
                // later answers on this connection may belong to other commands: close the connection for good
                JedisTransactions.close(connection::disconnect);
                connection.setBroken();
            }
            JedisTransactions.close(borrowed);
        }
    }

    /** A connection of the pool behind a {@link UnifiedJedis}, which lends connections for transactions only. */
    private record OfUnifiedJedis(RedisConnection borrowed, AbstractTransaction transaction)
            implements TransactionConnection {

        @Override
        public List<@Nullable Object> ask(List<List<String>> commands) {
            List<@Nullable Object> replies = new ArrayList<>(commands.size());
            for (List<String> command : commands) {
                replies.add(readable(askOne(command)));
            }
            return replies;
        }

        private @Nullable Object askOne(List<String> command) {
            try {
                return switch (command.get(0)) {
                    // use the methods of the transaction, which then knows what to undo when it is closed
                    case "WATCH" -> transaction.watch(args(command));
                    case "UNWATCH" -> transaction.unwatch();
                    default ->
                        transaction.sendCommand(name(command), args(command)).get();
                };
            } catch (JedisDataException ex) {
                throw new RefusedException(ex);
            }
        }

        @Override
        public @Nullable List<@Nullable Object> exec(List<List<String>> commands) {
            try {
                transaction.multi();
                commands.forEach(command -> transaction.sendCommand(name(command), args(command)));
                List<Object> answers = transaction.exec();
                return answers == null ? null : checked(answers);
            } catch (JedisDataException ex) {
                throw new RefusedException(ex.getSuppressed().length == 0 ? ex : ex.getSuppressed()[0]);
            }
        }

        @Override
        public void close(boolean failed) {
            JedisTransactions.close(transaction);
            JedisTransactions.close(borrowed);
        }
    }

    /** Returns the answers as they are read, if none of them is an error. */
    private static List<@Nullable Object> checked(List<?> answers) {
        List<@Nullable Object> read = new ArrayList<>(answers.size());
        for (Object answer : answers) {
            if (answer instanceof JedisDataException error) {
                throw new TransactionConnection.RefusedException(error);
            }
            read.add(readable(answer));
        }
        return read;
    }
}
