package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockNames;
import dev.baton.lock.OnLost;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.interceptor.InTransaction;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of the locks of an application. Immutable, validated on creation.
 *
 * <p>Every duration is written with its unit ({@code 500ms}, {@code 10s}, {@code PT10S}). A number without a unit is
 * refused, because Spring Boot would read it as milliseconds and {@code @DistributedLock} as seconds.
 *
 * @param enabled Whether locks are acquired. If false, nothing is locked and every lease is granted at once; a warning
 *     says how many methods are unprotected.
 * @param namespace First part of every Redis key and channel. Names separated by colons, without braces.
 * @param connectionFactory Name of the RedisConnectionFactory bean to use, if the application has several and none of
 *     them is primary.
 * @param expire Length of a lease whose request does not set one; renewed while its holder works. With unit, 10 ms to
 *     3650 days.
 * @param maxHold Longest time for which a lease is renewed. With unit, at least as long as baton.expire.
 * @param waitTime Longest time that a request waits for its grant: a duration with unit, 0 to not wait, or
 *     'unbounded'.
 * @param stallTime How long a request waits behind the same holder before it gives up, unless the request or its scope
 *     sets it. With unit, at least 10 ms. Not set: the wait time alone ends a wait.
 * @param commandTimeout Longest time that one Redis command of Baton may take, regardless of
 *     spring.data.redis.timeout. With unit, at least 10 ms.
 * @param recheck How often a waiter asks Redis again, in case it was not notified of its grant. With unit, at least
 *     10 ms.
 * @param patience How long other requests may still be granted a single lock for which a request for several locks
 *     waits. After that time, the lock is kept free for that request. With unit, 0s or more.
 * @param onLost How the loss of a lease affects work that is not done yet, unless the request sets its own reaction.
 * @param maxWaiters Largest number of requests of this process that may wait at the same time. Another request fails
 *     at once. At least 1.
 * @param requestAfter How long a request waits before Baton tells the holder of its lock (Lease.onRequested), and the
 *     time between two such hints. With unit, at least 10 ms; 0s gives no hints.
 * @param shutdown Settings for the time when the application stops.
 * @param waitStrategy How waiters are notified: 'grant' (by the releaser), 'keyspace' (Redis notifications) or
 *     'polling'.
 * @param handler How the state of a lock in Redis is changed atomically: 'script', 'transaction' or 'auto'.
 * @param replicasToAck How many replicas have to acknowledge a grant or a renewal before it counts. 0 waits for none.
 * @param failover How grants are treated after the primary was replaced or restarted: 'none' treats them as usual, and
 *     'wait' lets none count for baton.longest-expire.
 * @param longestExpire Longest lease that a request may have. With unit, at least as long as baton.expire. Not set: any
 *     length, but baton.expire with baton.failover: wait.
 * @param polling Settings of the wait strategy 'polling'.
 * @param keyspace Settings of the wait strategy 'keyspace'.
 * @param cohort Settings for the passes of a lock within one process.
 * @param release Whether a release waits for the answer of Redis.
 * @param inTransaction How to handle a lock that @DistributedLock or LockTemplate.execute acquires while a
 *     transaction is already active: 'release', 'warn' or 'refuse'.
 * @param scopes Settings for the locks of single scopes, by scope. They apply where neither the annotation nor the
 *     request sets a value.
 */
@ConfigurationProperties(LockProperties.PREFIX)
public record LockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("lock") String namespace,
        @Nullable String connectionFactory,
        @DefaultValue("30s") @WithUnit Duration expire,
        @DefaultValue("24h") @WithUnit Duration maxHold,
        @DefaultValue("10s") @WithUnit WaitTime waitTime,
        @Nullable @WithUnit Duration stallTime,
        @DefaultValue("2s") @WithUnit Duration commandTimeout,
        @DefaultValue("1s") @WithUnit Duration recheck,
        @DefaultValue("1s") @WithUnit Duration patience,
        @DefaultValue("throw") OnLost onLost,
        @DefaultValue("100000") int maxWaiters,
        @DefaultValue("5s") @WithUnit Duration requestAfter,
        @DefaultValue Shutdown shutdown,
        @DefaultValue("grant") WaitStrategy waitStrategy,
        @DefaultValue("auto") LockHandler handler,
        @DefaultValue("0") int replicasToAck,
        @DefaultValue("none") Failover failover,
        @Nullable @WithUnit Duration longestExpire,
        @DefaultValue Polling polling,
        @DefaultValue Keyspace keyspace,
        @DefaultValue Cohort cohort,
        @DefaultValue("confirmed") ReleaseMode release,
        @DefaultValue("release") InTransaction inTransaction,
        @DefaultValue Map<String, ScopeProperties> scopes) {

    static final String PREFIX = "baton";

    /**
     * Settings of the wait strategy {@code polling}.
     *
     * @param interval Longest pause between two polls, jittered uniformly. With unit, at least 1 ms.
     */
    public record Polling(@DefaultValue("100ms") @WithUnit Duration interval) {

        public Polling {
            if (interval.toMillis() < 1) {
                throw invalid(
                        "polling.interval",
                        interval,
                        "interval " + interval
                                + " is too short; use at least 1 ms (every waiting process asks Redis that"
                                + " often; 100ms is the default)");
            }
            checkNotTooLong("polling.interval", interval, "a free lock is found that late");
        }
    }

    /**
     * Settings of the wait strategy {@code keyspace}.
     *
     * @param configure Whether to add the missing flags of Kgx to Redis's notify-keyspace-events. Set it to false
     *     where CONFIG is refused, as by most managed services, and set the flags there.
     */
    public record Keyspace(@DefaultValue("true") boolean configure) {}

    /**
     * Settings for the passes of a lock within one process, without a command to Redis.
     *
     * @param limit How many times in a row a lock is passed on within a process although another process may wait for
     *     it. 0 for strict order across all processes; at most 1000.
     * @param maxTime How long after its grant to a process a lock may be passed on within that process. With unit,
     *     more than 0s.
     */
    public record Cohort(
            @DefaultValue("32") int limit,
            @DefaultValue("20ms") @WithUnit Duration maxTime) {

        private static final int MOST = 1_000;

        public Cohort {
            if (limit < 0 || limit > MOST) {
                throw invalid(
                        "cohort.limit",
                        limit,
                        "cohort.limit " + limit + " is out of range; use 0 for strict order over processes, up to "
                                + MOST);
            }
            if (maxTime.isNegative() || maxTime.isZero()) {
                throw invalid(
                        "cohort.max-time",
                        maxTime,
                        "cohort.max-time " + maxTime.toMillis()
                                + " ms is not positive; use 20ms, or baton.cohort.limit: 0 to turn it off");
            }
            checkNotTooLong("cohort.max-time", maxTime, "other processes wait that long");
        }
    }

    private static final Duration SHORTEST = Duration.ofMillis(10);

    /** A longer duration could overflow the arithmetic in nanoseconds, and is certainly a mistake. */
    private static final Duration LONGEST = LockDurations.LONGEST_EXPIRE;

    public LockProperties {
        checkNamespace(namespace);
        connectionFactory = connectionFactory == null || connectionFactory.isBlank() ? null : connectionFactory.strip();
        checkExpire(expire);
        checkMaxHold(maxHold, expire);
        if (longestExpire == null && failover == Failover.WAIT) {
            longestExpire = expire;
        }
        if (longestExpire != null) {
            checkLongestExpire(longestExpire, expire);
        }
        if (!waitTime.isUnbounded()) {
            checkNotTooLong("wait-time", waitTime.duration(), "write 'unbounded' to wait without a bound");
        }
        if (stallTime != null) {
            checkRange("stall-time", stallTime, "leave it out to wait behind a holder for the whole wait time");
        }
        checkRange("command-timeout", commandTimeout, "Redis needs some time to answer; 2s is the default");
        checkRange("recheck", recheck, "every waiting process asks Redis that often; 1s is the default");
        if (!requestAfter.isZero()) {
            checkRange("request-after", requestAfter, "holders are told that often; 0s never tells, 5s is the default");
        }
        scopes = Map.copyOf(scopes);
        scopes.forEach((scope, given) -> given.request(scope));
        checkPatience(patience);
        if (replicasToAck < 0) {
            throw invalid(
                    "replicas-to-ack",
                    replicasToAck,
                    "replicas-to-ack " + replicasToAck + " is negative; use 0 to wait for no replica");
        }
        if (maxWaiters < 1) {
            throw invalid(
                    "max-waiters",
                    maxWaiters,
                    "max-waiters " + maxWaiters + " allows no request to wait; use at least 1");
        }
    }

    private static void checkPatience(Duration patience) {
        String why = "0s lets no other request pass one for several locks; 1s is the default";
        if (patience.isNegative()) {
            throw invalid(
                    "patience",
                    patience,
                    "patience " + patience.toMillis() + " ms is negative; use 0s or more (" + why + ")");
        }
        checkNotTooLong("patience", patience, why);
    }

    /**
     * Settings for the time when the application stops.
     *
     * @param await How long the shutdown waits for the holders of locks before it continues without them. With unit,
     *     0s to not wait. More than spring.lifecycle.timeout-per-shutdown-phase (30s) has no effect.
     */
    public record Shutdown(@DefaultValue("10s") @WithUnit Duration await) {

        public Shutdown {
            if (await.isNegative()) {
                throw invalid(
                        "shutdown.await",
                        await,
                        "shutdown.await " + await.toMillis() + " ms is negative; use 0s to not wait for holders");
            }
            checkNotTooLong("shutdown.await", await, "the application stops no sooner while a lock is held");
        }
    }

    private static void checkNamespace(String namespace) {
        try {
            LockNames.checkNamespace(namespace);
        } catch (IllegalArgumentException ex) {
            throw invalid("namespace", namespace, ex.getMessage());
        }
    }

    private static void checkExpire(Duration expire) {
        try {
            LockDurations.checkExpire(expire);
        } catch (IllegalArgumentException ex) {
            throw invalid("expire", expire, ex.getMessage());
        }
    }

    private static void checkLongestExpire(Duration longest, Duration expire) {
        if (longest.compareTo(expire) < 0) {
            throw invalid(
                    "longest-expire",
                    longest,
                    "longest-expire " + longest.toMillis() + " ms is shorter than baton.expire, " + expire.toMillis()
                            + " ms; make it at least as long, or shorten baton.expire");
        }
        checkNotTooLong("longest-expire", longest, "leave it out to accept leases of any length");
    }

    private static void checkMaxHold(Duration maxHold, Duration expire) {
        if (maxHold.compareTo(expire) < 0) {
            throw invalid(
                    "max-hold",
                    maxHold,
                    "max-hold " + maxHold.toMillis() + " ms is shorter than baton.expire, " + expire.toMillis()
                            + " ms; make it at least as long, or shorten baton.expire");
        }
        checkNotTooLong("max-hold", maxHold, "a holder that hangs keeps its lock that long");
    }

    private static void checkRange(String name, Duration value, String why) {
        if (value.compareTo(SHORTEST) < 0) {
            throw invalid(
                    name,
                    value,
                    name + " " + value.toMillis() + " ms is too short; use at least " + SHORTEST.toMillis() + " ms ("
                            + why + ")");
        }
        checkNotTooLong(name, value, why);
    }

    private static void checkNotTooLong(String name, Duration value, String why) {
        if (value.compareTo(LONGEST) > 0) {
            throw invalid(
                    name,
                    value,
                    name + " of " + value.toDays() + " days is too long; use at most " + LONGEST.toDays() + " days ("
                            + why + ")");
        }
    }

    static InvalidConfigurationPropertyValueException invalid(String name, Object value, @Nullable String reason) {
        return new InvalidConfigurationPropertyValueException(PREFIX + "." + name, value, reason);
    }
}
