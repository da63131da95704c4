package dev.baton.lock.redis;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Locks in Redis: one script, and so one round trip, per operation. Standalone or behind sentinels, over Lettuce
 * or Jedis.
 *
 * <p>Needs Redis 6.2 or newer, and no configuration of it.
 */
public final class RedisLockStore implements LockStore {

    private static final String SCANNED_TOGETHER = "1000";

    private final RedisKeys keys;
    private final LockListenerContainer container;
    private final RedisFailures failures;
    private final RedisConnectionFactory factory;

    private volatile @Nullable Session session;

    private RedisLockStore(Builder builder) {
        this.keys = new RedisKeys(builder.namespace);
        this.factory = builder.connectionFactory;
        this.failures = new RedisFailures(factory);
        this.container = builder.container != null ? builder.container : ownContainer(factory);
    }

    private static LockListenerContainer ownContainer(RedisConnectionFactory factory) {
        LockListenerContainer container = new LockListenerContainer(factory);
        container.afterPropertiesSet();
        return container;
    }

    /**
     * Begins a store.
     *
     * @param connectionFactory where connections come from: over Lettuce commands share its native connection, over
     *     Jedis each borrows one, at most {@value JedisTransport#THREADS} at a time, and the subscription keeps one
     * @throws IllegalArgumentException on {@link Builder#build()} if it is of a kind that is not supported
     */
    public static Builder builder(RedisConnectionFactory connectionFactory) {
        return new Builder(connectionFactory);
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        StoreThreads threads = new StoreThreads();
        String channel = keys.inbox(instance);
        GrantMessages messages = new GrantMessages(keys, channel, inbox);
        Session started = new Session(threads, transport(threads), subscription(messages, threads), channel);
        session = started;
        started.inbox.start();
    }

    /** The classes of a client library are loaded only if it is the one in use. */
    private ScriptTransport transport(StoreThreads threads) {
        if (factory instanceof LettuceConnectionFactory lettuce) {
            return new LettuceTransport(new LettuceLink(lettuce, threads.opener()), failures, threads);
        }
        return new JedisTransport(factory, failures, threads);
    }

    private GrantSubscription subscription(GrantMessages messages, StoreThreads threads) {
        if (factory instanceof LettuceConnectionFactory) {
            return new RedisInbox(container, messages, threads.subscriber());
        }
        return new JedisInbox(factory, messages, threads.subscriber());
    }

    @Override
    public void stop() {
        Session stopping = session;
        session = null;
        if (stopping != null) {
            stopping.inbox.stop();
            stopping.transport.close();
            stopping.threads.stop();
        }
    }

    /** Lettuce has one connection, which keeps the order until it breaks; a pool keeps none. */
    @Override
    public long order() {
        Session now = session;
        return now == null ? -1 : now.transport.order();
    }

    @Override
    public boolean isListening() {
        Session now = session;
        return now != null && now.inbox.isListening();
    }

    @Override
    public void listenAnew() {
        Session now = session;
        if (now != null) {
            now.inbox.listenAnew();
        }
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        Session now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        List<AcquireCommand.Request> requests = command.requests();
        if (command.names().size() > 1 && requests.size() > 1) {
            throw new IllegalArgumentException(requests.size() + " requests ask for "
                    + command.names().size() + " locks in one command; only one may ask for several");
        }
        LockName name = command.names().get(0);
        List<String> names =
                new ArrayList<>(3 + requests.size() + command.names().size());
        names.add(keys.lock(name));
        names.add(keys.queue(name));
        names.add(keys.waiting(name));
        names.add(keys.fence());
        List<String> args = new ArrayList<>(4 + 6 * requests.size());
        args.add("1");
        args.add(now.channel);
        args.add(Long.toString(command.recheck().toMillis()));
        args.add(Long.toString(requests.get(0).passMillis()));
        for (AcquireCommand.Request request : requests) {
            names.add(keys.over(name, request.id()));
            args.add(request.id());
            args.add(request.kind().name().toLowerCase(Locale.ROOT));
            args.add(Long.toString(request.leaseMillis()));
            args.add(Long.toString(request.patienceMillis()));
            args.add(request.owner());
            args.add(request.label());
        }
        addOthers(command.names(), names);
        ScriptTransport transport = now.transport;
        long epoch = transport.epoch();
        return transport
                .send(LuaScript.ACQUIRE, names, args, command.timeoutNanos())
                .thenApply(reply -> RedisReplies.acquire(reply, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        Session now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        LockName name = command.names().get(0);
        List<String> names = new ArrayList<>(4 + command.names().size());
        names.add(keys.lock(name));
        names.add(keys.queue(name));
        names.add(keys.waiting(name));
        names.add(keys.fence());
        names.add(keys.over(name, command.id()));
        addOthers(command.names(), names);
        List<String> args =
                List.of("1", command.id(), Long.toString(command.markMillis()), Long.toString(command.keepMillis()));
        ScriptTransport transport = now.transport;
        long epoch = transport.epoch();
        return transport
                .send(LuaScript.END, names, args, command.timeoutNanos())
                .thenApply(reply -> RedisReplies.end(reply, command, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        Session now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        List<String> names = new ArrayList<>(command.renewals().size());
        List<String> args = new ArrayList<>(3 * command.renewals().size());
        for (RenewCommand.Renewal renewal : command.renewals()) {
            renewal.names().forEach(name -> names.add(keys.lock(name)));
            args.add(renewal.id());
            args.add(Integer.toString(renewal.names().size()));
            args.add(Long.toString(renewal.leaseMillis()));
        }
        return now.transport
                .send(LuaScript.RENEW, names, args, command.timeoutNanos())
                .thenApply(reply -> RedisReplies.renew(reply, command));
    }

    /** The scripts make the other keys of these names themselves. */
    private void addOthers(List<LockName> names, List<String> to) {
        names.subList(1, names.size()).forEach(name -> to.add(keys.lock(name)));
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        List<String> names = List.of(keys.lock(name), keys.queue(name), keys.waiting(name));
        return send(LuaScript.INSPECT, names, List.of(Integer.toString(waiters)), timeoutNanos)
                .thenApply(reply -> InspectionReplies.inspect(reply, name));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        List<String> args =
                List.of(command.cursor(), keys.locks(command.namespace(), command.pattern()), SCANNED_TOGETHER);
        return send(LuaScript.SCAN, List.of(), args, command.timeoutNanos())
                .thenApply(reply -> InspectionReplies.scan(reply, keys, command));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        List<String> names = List.of(keys.lock(name), keys.queue(name), keys.waiting(name), keys.fence());
        return send(LuaScript.FORCE_RELEASE, names, List.of("1", keys.inboxes()), timeoutNanos)
                .thenApply(reply -> InspectionReplies.forceRelease(reply, name));
    }

    private CompletableFuture<List<Object>> send(
            LuaScript script, List<String> names, List<String> args, long timeoutNanos) {
        Session now = session;
        return now == null
                ? CompletableFuture.failedFuture(failures.stopped())
                : now.transport.send(script, names, args, timeoutNanos);
    }

    @Override
    public CompletableFuture<LockCapabilities> capabilities(long timeoutNanos) {
        Session now = session;
        if (now == null) {
            return CompletableFuture.completedFuture(RedisCapabilities.of(factory, Optional.empty()));
        }
        return now.transport
                .send(LuaScript.SERVER, List.of(), List.of(), timeoutNanos)
                .thenApply(RedisReplies::server)
                .exceptionally(failure -> Optional.empty())
                .thenApply(server -> RedisCapabilities.of(factory, server));
    }

    @Override
    public String describe() {
        return "Redis at " + failures.address() + " (spring.data.redis.*)";
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of(keys.lock(name));
    }

    /** What lives from start to stop. */
    private record Session(StoreThreads threads, ScriptTransport transport, GrantSubscription inbox, String channel) {}

    /** Builds a store. */
    public static final class Builder {

        private final RedisConnectionFactory connectionFactory;
        private String namespace = "lock";
        private @Nullable LockListenerContainer container;

        private Builder(RedisConnectionFactory connectionFactory) {
            this.connectionFactory = connectionFactory;
        }

        /** First part of every key and channel, names separated by colons; {@code lock} unless set. */
        public Builder namespace(String namespace) {
            this.namespace = LockNames.checkNamespace(namespace);
            return this;
        }

        /** The container to listen with over Lettuce; one of the store's own unless set. Jedis needs none. */
        public Builder listenerContainer(LockListenerContainer container) {
            this.container = container;
            return this;
        }

        /**
         * Builds the store; it connects when it is started.
         *
         * @throws IllegalArgumentException if the connection factory is of a kind that is not supported, or its pool of
         *     Jedis connections has less than two
         */
        public RedisLockStore build() {
            if (isCluster()) {
                throw new IllegalArgumentException(
                        "locks in a Redis Cluster are not supported yet; use a standalone Redis or one behind sentinels");
            }
            return new RedisLockStore(this);
        }

        private boolean isCluster() {
            if (connectionFactory instanceof LettuceConnectionFactory lettuce) {
                return lettuce.isClusterAware();
            }
            if (connectionFactory instanceof JedisConnectionFactory jedis) {
                checkPool(jedis);
                return jedis.isRedisClusterAware();
            }
            throw new IllegalArgumentException(
                    "locks over " + connectionFactory.getClass().getName()
                            + " are not supported; use a LettuceConnectionFactory or a JedisConnectionFactory"
                            + " (spring.data.redis.client-type)");
        }

        private static void checkPool(JedisConnectionFactory jedis) {
            GenericObjectPoolConfig<?> pool = jedis.getPoolConfig();
            if (pool != null && pool.getMaxTotal() >= 0 && pool.getMaxTotal() < 2) {
                throw new IllegalArgumentException("a pool of " + pool.getMaxTotal()
                        + " Jedis connections is too small for locks, whose subscription keeps one; give it at least 2, or"
                        + " -1 for any number (spring.data.redis.jedis.pool.max-active)");
            }
        }
    }
}
