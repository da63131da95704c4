package dev.baton.lock.redis;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockNames;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.jedis.JedisTransport;
import dev.baton.lock.redis.key.KeyPlacement;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.lettuce.LockListenerContainer;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Stores locks in Redis. By script, an operation is one round trip. Supports a standalone Redis, one behind
 * sentinels and a Redis Cluster, over Lettuce or Jedis.
 *
 * <p>Needs Redis 6.2 or newer. Only {@link WaitStrategy#KEYSPACE} needs a setting of Redis, which the store makes
 * itself unless told not to.
 */
public final class RedisLockStore implements LockStore {

    final RedisKeys keys;
    final KeyPlacement placement;
    final LockListenerContainer container;
    final RedisFailures failures;
    final RedisConnectionFactory factory;
    final WaitStrategy strategy;
    private final Duration pollingInterval;
    final boolean configureKeyspace;
    final LockHandler handler;
    final int replicasToAck;
    private final @Nullable Duration longestExpire;
    final @Nullable Duration failoverPause;

    private final LockStoreAdministration administration = new RedisStoreAdministration(this);

    private volatile @Nullable StoreSession session;

    private RedisLockStore(Builder builder) {
        this.keys = new RedisKeys(builder.namespace);
        this.factory = builder.connectionFactory;
        this.strategy = builder.strategy;
        this.pollingInterval = builder.pollingInterval;
        this.configureKeyspace = builder.configureKeyspace;
        this.handler = builder.handler;
        this.replicasToAck = builder.replicasToAck;
        this.longestExpire = builder.longestExpire;
        this.failoverPause = builder.failoverPause ? builder.longestExpire : null;
        this.failures = new RedisFailures(
                factory, keys.root(), handler, strategy, configureKeyspace, replicasToAck > 0, failoverPause != null);
        this.container = builder.container != null ? builder.container : LockListenerContainer.of(factory);
        this.placement = ConnectionFactoryValidator.isCluster(factory) ? KeyPlacement.CLUSTER : KeyPlacement.ONE_SERVER;
    }

    /** Returns whether grants have to be confirmed before they count. */
    boolean confirms() {
        return replicasToAck > 0 || failoverPause != null;
    }

    boolean isCluster() {
        return placement == KeyPlacement.CLUSTER;
    }

    /**
     * Returns a builder of a store.
     *
     * @param connectionFactory the source of connections. Over Lettuce, commands share its native connection. Over
     *     Jedis, each command borrows a connection, at most {@value JedisTransport#THREADS} at a time, and the
     *     subscription keeps one. Callers that block use a few more connections, which return to the pool within a
     *     second. To each master of a Redis Cluster, the store opens connections of its own, with the same settings.
     * @throws IllegalArgumentException on {@link Builder#build()} if the kind of connection factory is not supported
     */
    public static Builder builder(RedisConnectionFactory connectionFactory) {
        return new Builder(connectionFactory);
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        StoreSession started = new StoreSession(this, inbox, keys.inbox(instance));
        session = started;
        started.start();
    }

    @Override
    public void stop() {
        StoreSession stopping = session;
        session = null;
        if (stopping != null) {
            stopping.stop();
        }
    }

    @Override
    public long order() {
        StoreSession now = session;
        return now == null ? -1 : now.commands.order();
    }

    @Override
    public boolean isListening() {
        StoreSession now = session;
        return now != null && now.inbox.isListening();
    }

    @Override
    public void listenAgain() {
        StoreSession now = session;
        if (now != null) {
            now.inbox.listenAgain();
        }
    }

    /**
     * Returns the handler in use. If {@link LockHandler#AUTO} is configured, returns {@link LockHandler#AUTO} before
     * Redis has answered. Returns the configured handler while the store is stopped.
     */
    public LockHandler handler() {
        StoreSession now = session;
        return now == null ? handler : now.commands.handler();
    }

    @Override
    public StoreTraits traits() {
        StoreSession now = session;
        return now == null ? traits(handler) : now.commands.traits();
    }

    /** Returns what this store can do with a handler. {@link LockHandler#AUTO} counts as {@link LockHandler#SCRIPT}. */
    StoreTraits traits(LockHandler with) {
        return RedisTraits.of(factory, strategy, pollingInterval, with, confirms())
                .withLongestExpire(longestExpire);
    }

    @Override
    public LockStoreAdministration administration() {
        return administration;
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

    /**
     * Returns the command to send. Without a queue, each request is a single try, and the waiter tries again and again.
     */
    private AcquireCommand asked(AcquireCommand command) {
        if (strategy == WaitStrategy.GRANT) {
            return command;
        }
        List<AcquireCommand.Request> tries = command.requests().stream()
                .map(request -> request.as(AcquireCommand.Kind.TRY))
                .toList();
        return new AcquireCommand(command.names(), tries, command.recheck(), command.timeoutNanos(), command.caller());
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        if (!placement.isTogether(keys, command.names())) {
            return CompletableFuture.failedFuture(apart(command));
        }
        String exclusiveOnly = command.isShared() ? traits().exclusiveOnly() : null;
        if (exclusiveOnly != null) {
            return CompletableFuture.failedFuture(
                    new StoreException(exclusiveOnly + "; use mode EXCLUSIVE", false, true, null));
        }
        AcquireCommand asked = asked(command);
        return send(commands -> commands.acquire(asked));
    }

    private static StoreException apart(AcquireCommand command) {
        return new StoreException(
                "locks " + command.names() + " are in different slots of the Redis Cluster, and a script may only touch"
                        + " one slot: give the names one hash tag (LockNames.tagged), or acquire the locks one after the"
                        + " other in a fixed order",
                false,
                true,
                null);
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        if (!placement.isTogether(keys, command.acquire().names())) {
            return CompletableFuture.failedFuture(apart(command.acquire()));
        }
        String exclusiveOnly = command.acquire().isShared() ? traits().exclusiveOnly() : null;
        if (exclusiveOnly != null) {
            return CompletableFuture.failedFuture(new StoreException(exclusiveOnly, false, true, null));
        }
        return send(commands -> commands.forceAcquire(command));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return send(commands -> commands.end(command));
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return send(commands -> commands.exchange(command));
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return send(commands -> commands.downgrade(command));
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return send(commands -> commands.tellHolders(name, timeoutNanos));
    }

    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return ifConditional(commands -> commands.await(command));
    }

    @Override
    public CompletableFuture<SignalReply> signal(SignalCommand command) {
        return ifConditional(commands -> commands.signal(command));
    }

    private <T> CompletableFuture<T> ifConditional(Function<LockCommands, CompletableFuture<T>> command) {
        String noConditions = traits().noConditions();
        return noConditions == null
                ? send(command)
                : CompletableFuture.failedFuture(new StoreException(noConditions, false, true, null));
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return send(commands -> commands.extend(command));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return send(commands -> commands.renew(command));
    }

    /** Returns the slot of a lock in a cluster: a command renews leases of one slot. */
    @Override
    public int shard(LockName name) {
        return placement.slot(keys, name);
    }

    CompletableFuture<ScanPage> scan(ScanCommand command) {
        StoreSession now = session;
        return now == null ? CompletableFuture.failedFuture(failures.stopped()) : now.scan(command);
    }

    <T> CompletableFuture<T> send(Function<LockCommands, CompletableFuture<T>> command) {
        StoreSession now = session;
        return now == null ? CompletableFuture.failedFuture(failures.stopped()) : command.apply(now.commands);
    }

    /**
     * Returns the name and version that the server reports, or empty if the store is stopped or the server does not
     * report them.
     */
    CompletableFuture<Optional<String>> server(long timeoutNanos) {
        StoreSession now = session;
        return now == null ? CompletableFuture.completedFuture(Optional.empty()) : now.server(timeoutNanos);
    }

    /** Returns the last answer of {@link #server}, or empty if there is none since the start. Asks nothing. */
    Optional<String> knownServer() {
        StoreSession now = session;
        return now == null ? Optional.empty() : now.knownServer();
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of(keys.lock(name));
    }

    @Override
    public String namespace() {
        return keys.root();
    }

    @Override
    public String describe() {
        return "Redis at " + failures.address() + " (spring.data.redis.*)";
    }

    /** Builds a store. */
    public static final class Builder {

        private final RedisConnectionFactory connectionFactory;
        private String namespace = "lock";
        private @Nullable LockListenerContainer container;
        private WaitStrategy strategy = WaitStrategy.GRANT;
        private Duration pollingInterval = StoreTraits.POLLING_INTERVAL;
        private boolean configureKeyspace = true;
        private LockHandler handler = LockHandler.AUTO;
        private int replicasToAck;
        private @Nullable Duration longestExpire;
        private boolean failoverPause;

        private Builder(RedisConnectionFactory connectionFactory) {
            this.connectionFactory = connectionFactory;
        }

        /** Sets the first part of every key and channel: names separated by colons. Defaults to {@code lock}. */
        public Builder namespace(String namespace) {
            this.namespace = LockNames.checkNamespace(namespace);
            return this;
        }

        /**
         * Sets the container that listens over Lettuce. Defaults to a container of the store's own. Jedis needs none.
         */
        public Builder listenerContainer(LockListenerContainer container) {
            this.container = container;
            return this;
        }

        /**
         * Sets how waiters learn that it may be their turn. Defaults to {@link WaitStrategy#GRANT}. The other two
         * strategies add no waiter to the queue.
         *
         * @throws IllegalArgumentException for {@link WaitStrategy#KEYSPACE} in a Redis Cluster, where each node
         *     reports changes of its own keys only
         */
        public Builder waitStrategy(WaitStrategy strategy) {
            ConnectionFactoryValidator.check(connectionFactory, strategy);
            this.strategy = strategy;
            return this;
        }

        /**
         * Sets the longest pause of {@link WaitStrategy#POLLING} between two attempts, 1 ms to ten years. Also applies
         * to single requests that poll whatever the strategy of the store. Defaults to 100 ms.
         */
        public Builder pollingInterval(Duration interval) {
            if (interval.toMillis() < 1 || interval.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
                throw new IllegalArgumentException(
                        "polling interval of " + interval + " is out of range; use 1 ms to ten years");
            }
            this.pollingInterval = interval;
            return this;
        }

        /**
         * Sets whether {@link WaitStrategy#KEYSPACE} configures Redis to report key changes. If {@code true}, the store
         * adds the missing flags of {@code Kgx} to {@code notify-keyspace-events}. Defaults to {@code true}. Use
         * {@code false} if Redis refuses {@code CONFIG}, and set the flags on the server.
         */
        public Builder configureKeyspace(boolean configure) {
            this.configureKeyspace = configure;
            return this;
        }

        /**
         * Sets how the state of a lock is changed. Defaults to {@link LockHandler#AUTO}.
         *
         * @throws IllegalArgumentException for {@link LockHandler#TRANSACTION} in a Redis Cluster, or with a static
         *     master and replicas
         */
        public Builder handler(LockHandler handler) {
            ConnectionFactoryValidator.check(connectionFactory, handler);
            requireScripts(handler, replicasToAck, failoverPause);
            this.handler = handler;
            return this;
        }

        /**
         * Sets how many replicas have to acknowledge a grant before it counts, and a renewal. With 0, the default, none
         * has to. A grant that they have not acknowledged within the time of its command is given back. If no more than so
         * many replicas may become the primary, a failover then frees no lock that is held.
         *
         * @throws IllegalArgumentException if the number is negative, or is positive with {@link LockHandler#TRANSACTION}
         */
        public Builder replicasToAck(int replicas) {
            if (replicas < 0) {
                throw new IllegalArgumentException(
                        replicas + " replicas cannot acknowledge; use 0 to wait for none, or a positive number");
            }
            requireScripts(handler, replicas, failoverPause);
            this.replicasToAck = replicas;
            return this;
        }

        /**
         * Sets the longest lease that a request may have, or {@code null}, the default, if any length is accepted.
         *
         * @throws IllegalArgumentException if the length is out of the range of leases
         */
        public Builder longestExpire(@Nullable Duration longest) {
            if (longest != null) {
                LockDurations.checkExpire(longest);
            }
            this.longestExpire = longest;
            return this;
        }

        /**
         * Sets whether grants pause for {@link #longestExpire} after the primary was replaced or restarted. By then each
         * lease has ended that the new primary may not know. Every process with these locks needs this setting, and the
         * same longest lease. The pause also follows the first use of a Redis without data. Defaults to {@code false}.
         *
         * @throws IllegalArgumentException with {@link LockHandler#TRANSACTION}
         */
        public Builder pauseAfterFailover(boolean pause) {
            requireScripts(handler, replicasToAck, pause);
            this.failoverPause = pause;
            return this;
        }

        private static void requireScripts(LockHandler handler, int replicas, boolean pause) {
            if (handler != LockHandler.TRANSACTION) {
                return;
            }
            if (pause) {
                throw new IllegalArgumentException(
                        "handler transaction does not pause after a failover; use handler script, or"
                                + " baton.failover: none");
            }
            if (replicas > 0) {
                throw new IllegalArgumentException(
                        "handler transaction does not wait for replicas; use handler script, or"
                                + " baton.replicas-to-ack: 0");
            }
        }

        /**
         * Builds the store. The store connects when it is started.
         *
         * @throws IllegalArgumentException if the kind of connection factory is not supported, or if its pool allows
         *     fewer than two Jedis connections
         * @throws IllegalStateException if grants pause after a failover, and no longest lease is set
         */
        public RedisLockStore build() {
            if (failoverPause && longestExpire == null) {
                throw new IllegalStateException(
                        "a pause after a failover lasts as long as the longest lease, which is not"
                                + " set; set longestExpire");
            }
            ConnectionFactoryValidator.check(connectionFactory);
            return new RedisLockStore(this);
        }
    }
}
