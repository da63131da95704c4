package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.lettuce.DedicatedClientConfiguration;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Provides Lettuce connections that the application does not share, to the same Redis as the application's factory.
 * Their settings are the same, but for one: the connections do not reconnect on their own. A few are kept for the next
 * transactions.
 */
public final class LettuceTransactions implements TransactionConnection.Source {

    private static final Logger log = LoggerFactory.getLogger(LettuceTransactions.class);

    private final ConcurrentLinkedDeque<OfLettuce> idle = new ConcurrentLinkedDeque<>();
    private final LettuceConnectionFactory factory;
    private final LettuceConnectionFactory twin;
    private volatile boolean checked;
    private volatile boolean closed;

    public LettuceTransactions(LettuceConnectionFactory factory) {
        this.factory = factory;
        ClientOptions options = factory.getClientConfiguration()
                .getClientOptions()
                .orElseGet(ClientOptions::create)
                .mutate()
                .autoReconnect(false)
                .build();
        this.twin = new LettuceConnectionFactory(
                LettuceTarget.of(factory),
                new DedicatedClientConfiguration(factory.getClientConfiguration(), factory, options));
        twin.setShareNativeConnection(false);
        twin.afterPropertiesSet();
        twin.start();
    }

    @Override
    public TransactionConnection open() {
        for (OfLettuce known = idle.poll(); known != null; known = idle.poll()) {
            if (stateful(known.commands).isOpen()) {
                return known;
            }
            known.close(true);
        }
        if (!checked) {
            checkTarget();
            checked = true;
        }
        RedisConnection connection = twin.getConnection();
        return new OfLettuce(connection, commands(connection));
    }

    /** Rejects a static master with replicas: the factory does not reveal those servers. */
    private void checkTarget() {
        if (factory.getSentinelConfiguration() != null) {
            return;
        }
        try (RedisConnection connection = factory.getConnection()) {
            if (stateful(commands(connection)) instanceof StatefulRedisMasterReplicaConnection<?, ?>) {
                throw new IllegalStateException("transactions do not work with a static master and replicas; use"
                        + " baton.handler: script, or a standalone Redis or one behind sentinels");
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static RedisAsyncCommands<byte[], byte[]> commands(RedisConnection connection) {
        return (RedisAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
    }

    @SuppressWarnings("deprecation") // there is no other way to the connection
    private static StatefulRedisConnection<byte[], byte[]> stateful(RedisAsyncCommands<byte[], byte[]> commands) {
        return commands.getStatefulConnection();
    }

    @Override
    public void close() {
        closed = true;
        for (OfLettuce known = idle.poll(); known != null; known = idle.poll()) {
            known.close(true);
        }
        try {
            twin.destroy();
        } catch (RuntimeException ex) {
            log.debug("Closing the connections for transactions failed", ex);
        }
    }

    /** One connection. */
    private final class OfLettuce implements TransactionConnection {

        private final RedisConnection connection;
        private final RedisAsyncCommands<byte[], byte[]> commands;

        OfLettuce(RedisConnection connection, RedisAsyncCommands<byte[], byte[]> commands) {
            this.connection = connection;
            this.commands = commands;
        }

        @Override
        public List<@Nullable Object> ask(List<List<String>> asked) {
            List<RedisFuture<List<Object>>> futures =
                    asked.stream().map(this::send).toList();
            List<@Nullable Object> replies = new ArrayList<>(asked.size());
            for (int i = 0; i < asked.size(); i++) {
                replies.add(answer(asked.get(i), await(futures.get(i))));
            }
            return replies;
        }

        @Override
        public @Nullable List<@Nullable Object> exec(List<List<String>> asked) {
            RedisFuture<String> begun = commands.multi();
            List<RedisFuture<List<Object>>> queued =
                    asked.stream().map(this::send).toList();
            RedisFuture<TransactionResult> done = commands.exec();
            await(begun);
            TransactionResult result;
            try {
                result = await(done);
            } catch (RefusedException ex) {
                // Redis only says that it has refused one of the commands: find the one with the error
                queued.stream()
                        .filter(future -> future.toCompletableFuture().isCompletedExceptionally())
                        .findFirst()
                        .ifPresent(LettuceTransactions::await);
                throw ex;
            }
            if (result.wasDiscarded()) {
                return null;
            }
            List<@Nullable Object> replies = new ArrayList<>(asked.size());
            for (int i = 0; i < asked.size(); i++) {
                Object answer = result.get(i);
                if (answer instanceof Throwable error) {
                    throw new RefusedException(error);
                }
                replies.add(answer(asked.get(i), LockTransaction.list(answer)));
            }
            return replies;
        }

        private RedisFuture<List<Object>> send(List<String> command) {
            CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
            command.stream().skip(1).forEach(text -> args.add(text.getBytes(StandardCharsets.UTF_8)));
            return commands.dispatch(
                    CommandType.valueOf(command.get(0)), new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), args);
        }

        @Override
        public void close(boolean failed) {
            if (!failed && !closed) {
                idle.push(this);
                return;
            }
            try {
                connection.close();
            } catch (RuntimeException ex) {
                log.debug("Closing a connection failed", ex);
            }
        }
    }

    private static <T> T await(RedisFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException ex) {
            if (ex.getCause() instanceof RedisCommandExecutionException error) {
                throw new TransactionConnection.RefusedException(error);
            }
            throw new IllegalStateException(ex.getCause());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the command has timed out", ex);
        }
    }

    private static @Nullable Object answer(List<String> command, List<?> reply) {
        return readable(isArray(command.get(0)) ? reply : reply.isEmpty() ? null : reply.get(0));
    }

    /** Returns whether the answer of a command is a list; Lettuce makes a list of every answer. */
    private static boolean isArray(String command) {
        return switch (command) {
            case "EVALSHA", "EVAL", "HELLO", "TIME", "MGET", "HMGET", "ZRANGE", "ZREVRANGE", "SCAN", "PUBSUB" -> true;
            default -> false;
        };
    }

    private static @Nullable Object readable(@Nullable Object reply) {
        if (reply instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return reply instanceof List<?> list
                ? list.stream().map(LettuceTransactions::readable).toList()
                : reply;
    }
}
