package dev.baton.lock.redis;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.jedis.JedisTransport;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.lettuce.LockListenerContainer;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.transaction.Transactions;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Locks in Redis: one script, and so one round trip, per operation. Standalone or behind sentinels, over Lettuce
 * or Jedis.
 *
 * <p>Needs Redis 6.2 or newer, and no configuration of it.
 */
public final class RedisLockStore implements LockStore {

    final RedisKeys keys;
    final LockListenerContainer container;
    final RedisFailures failures;
    final RedisConnectionFactory factory;
    final WaitStrategy strategy;
    private final Duration pollingInterval;
    final boolean configureKeyspace;
    final LockHandler handler;

    private volatile @Nullable StoreSession session;

    private RedisLockStore(Builder builder) {
        this.keys = new RedisKeys(builder.namespace);
        this.factory = builder.connectionFactory;
        this.strategy = builder.strategy;
        this.pollingInterval = builder.pollingInterval;
        this.configureKeyspace = builder.configureKeyspace;
        this.handler = builder.handler;
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
        StoreSession started = new StoreSession(this, inbox, keys.inbox(instance));
        session = started;
        started.inbox.start();
    }

    @Override
    public void stop() {
        StoreSession stopping = session;
        session = null;
        if (stopping != null) {
            stopping.inbox.stop();
            stopping.handler.close();
            stopping.transport.close();
            stopping.threads.stop();
        }
    }

    /** Lettuce has one connection, which keeps the order until it breaks; a pool keeps none, nor do transactions. */
    @Override
    public long order() {
        StoreSession now = session;
        return now == null ? -1 : now.transport.order() + now.handler.order();
    }

    @Override
    public boolean isListening() {
        StoreSession now = session;
        return now != null && now.inbox.isListening();
    }

    @Override
    public void listenAnew() {
        StoreSession now = session;
        if (now != null) {
            now.inbox.listenAnew();
        }
    }

    @Override
    public WaitStrategy waitStrategy() {
        return strategy;
    }

    @Override
    public Duration pollingInterval() {
        return pollingInterval;
    }

    /** The handler in use; {@link LockHandler#AUTO} before Redis has answered, and when stopped. */
    public LockHandler handler() {
        StoreSession now = session;
        return now == null ? handler : now.handler.inUse();
    }

    @Override
    public @Nullable String oneLockOnly() {
        if (strategy != WaitStrategy.GRANT) {
            return "several locks need baton.wait-strategy: grant";
        }
        return handler() == LockHandler.TRANSACTION ? Transactions.SEVERAL : null;
    }

    @Override
    public @Nullable String confirmedOnly() {
        return ConnectionFactoryValidator.confirmedOnly(factory, handler);
    }

    @Override
    public void watch(LockName name) {
        StoreSession now = session;
        if (now != null) {
            now.inbox.watch(name);
        }
    }

    @Override
    public void unwatch(LockName name) {
        StoreSession now = session;
        if (now != null) {
            now.inbox.unwatch(name);
        }
    }

    /** Without a queue, who waits tries again and again. */
    private AcquireCommand asked(AcquireCommand command) {
        if (strategy == WaitStrategy.GRANT) {
            return command;
        }
        List<AcquireCommand.Request> tries =
                command.requests().stream().map(AcquireCommand.Request::asTry).toList();
        return new AcquireCommand(command.names(), tries, command.recheck(), command.timeoutNanos());
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand given) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        AcquireCommand command = asked(given);
        Transactions transactions = now.handler.transactions();
        return transactions != null
                ? transactions.acquire(command)
                : now.handler.decide(now.scripts.acquire(command), other -> other.acquire(command));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        Transactions transactions = now.handler.transactions();
        return transactions != null
                ? transactions.end(command)
                : now.handler.decide(now.scripts.end(command), other -> other.end(command));
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        return now.handler.transactions() == null ? now.scripts.exchange(command) : LockStore.super.exchange(command);
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        return now.handler.transactions() == null ? now.scripts.extend(command) : LockStore.super.extend(command);
    }

    /** By script, and for those who wait in the queue, that is; a choice that is still open is taken for scripts. */
    @Override
    public boolean reservesTokens() {
        return strategy == WaitStrategy.GRANT && handler() != LockHandler.TRANSACTION;
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        Transactions transactions = now.handler.transactions();
        return transactions != null
                ? transactions.renew(command)
                : now.handler.decide(now.scripts.renew(command), other -> other.renew(command));
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return byScript(scripts -> scripts.inspect(name, waiters, timeoutNanos));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return byScript(scripts -> scripts.scan(command));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return byScript(scripts -> scripts.forceRelease(name, timeoutNanos));
    }

    private <T> CompletableFuture<T> byScript(Function<ScriptCommands, CompletableFuture<T>> command) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        return now.handler.transactions() == null
                ? command.apply(now.scripts)
                : CompletableFuture.failedFuture(new StoreException(
                        "looking at locks and taking them away needs scripts, which this process does without; use"
                                + " baton.handler: script",
                        false,
                        null));
    }

    @Override
    public CompletableFuture<LockCapabilities> capabilities(long timeoutNanos) {
        StoreSession now = session;
        CompletableFuture<Optional<String>> server = now == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : now.scripts.server(timeoutNanos).exceptionally(failure -> Optional.empty());
        return server.thenApply(known -> RedisCapabilities.of(factory, handler(), strategy, known));
    }

    @Override
    public CompletableFuture<Optional<Instant>> time(long timeoutNanos) {
        StoreSession now = session;
        if (now == null) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        Transactions transactions = now.handler.transactions();
        CompletableFuture<Instant> time = transactions != null
                ? transactions.time(timeoutNanos)
                : now.handler.decide(now.scripts.time(timeoutNanos), other -> other.time(timeoutNanos));
        return time.thenApply(Optional::of);
    }

    @Override
    public String describe() {
        return "Redis at " + failures.address() + " (spring.data.redis.*)";
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of(keys.lock(name));
    }

    /** Builds a store. */
    public static final class Builder {

        private final RedisConnectionFactory connectionFactory;
        private String namespace = "lock";
        private @Nullable LockListenerContainer container;
        private WaitStrategy strategy = WaitStrategy.GRANT;
        private Duration pollingInterval = Duration.ofMillis(100);
        private boolean configureKeyspace = true;
        private LockHandler handler = LockHandler.AUTO;

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
         * How those that wait learn that it may be their turn; {@link WaitStrategy#GRANT} unless set. The other two put
         * nobody into the queue, and take one lock per request.
         *
         * @throws IllegalArgumentException for {@link WaitStrategy#KEYSPACE} in a Redis Cluster, each node of which tells of
         *     its own keys only
         */
        public Builder waitStrategy(WaitStrategy strategy) {
            ConnectionFactoryValidator.check(connectionFactory, strategy);
            this.strategy = strategy;
            return this;
        }

        /** The longest pause of {@link WaitStrategy#POLLING} between two questions, 100 ms unless set; 1 ms to ten years. */
        public Builder pollingInterval(Duration interval) {
            if (interval.toMillis() < 1 || interval.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
                throw new IllegalArgumentException(
                        "polling interval of " + interval + " is out of range; use 1 ms to ten years");
            }
            this.pollingInterval = interval;
            return this;
        }

        /**
         * Whether {@link WaitStrategy#KEYSPACE} has Redis tell of changes, by adding what is missing of {@code Kgx} to its
         * {@code notify-keyspace-events}; true unless set. False where {@code CONFIG} is refused: set it there.
         */
        public Builder configureKeyspace(boolean configure) {
            this.configureKeyspace = configure;
            return this;
        }

        /**
         * How the state of a lock is changed; {@link LockHandler#AUTO} unless set.
         *
         * @throws IllegalArgumentException for {@link LockHandler#TRANSACTION} in a Redis Cluster, or with a static master and
         *     replicas
         */
        public Builder handler(LockHandler handler) {
            ConnectionFactoryValidator.check(connectionFactory, handler);
            this.handler = handler;
            return this;
        }

        /**
         * Builds the store; it connects when it is started.
         *
         * @throws IllegalArgumentException if the connection factory is of a kind that is not supported, or its pool of
         *     Jedis connections has less than two
         */
        public RedisLockStore build() {
            ConnectionFactoryValidator.check(connectionFactory);
            return new RedisLockStore(this);
        }
    }
}
