package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import java.util.function.Function;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * The contestants, in the order of the report.
 *
 * <p>A further variant of Baton is one more constant here.
 */
@SuppressWarnings("ImmutableEnumChecker") // what opens them has no state
public enum Contestant {
    SOCKET("`SET NX PX` + `DEL`, blocking socket", Use.TRY, SocketPair::new),
    BARE("bare pair: `SET NX PX` + `DEL`, Lettuce", Use.TRY, LettucePair::new),
    BARE_SPRING("`SET NX PX` + `DEL`, Spring Data", Use.TRY, SpringPair::new),
    SCRIPTS("`SET NX PX` + `GET`, `DEL` as two scripts, Lettuce (no token, no queue)", Use.TRY, ScriptPair::new),
    THREADS(
            "fair `ReentrantLock` (one JVM, no Redis: the limit of its threads)",
            Use.THREADS,
            place -> new ThreadLocks()),
    TOKEN_LIST("token list, `BLPOP` (no lock: the limit of a hand-over)", Use.LIMIT, TokenList::new),
    FOUR_TOKENS(
            "four tokens in a list, `BLPOP` (no lease: the limit of a hand-over)",
            Use.PERMITS,
            place -> new TokenList(place, 4)),
    PUBLISH_HOP("bare `PUBLISH` hop (no lock: one message)", Use.HOP, PublishHop::new),
    REDISSON("Redisson `RLock`", Use.LOCK, RedissonLocks::plain),
    REDISSON_FAIR("Redisson fair", Use.LOCK, RedissonLocks::fair),
    REDISSON_FENCED("Redisson fenced", Use.LOCK, RedissonLocks::fenced),
    REDISSON_READ_WRITE("Redisson `RReadWriteLock`", Use.READ_WRITE, RedissonReadWriteLocks::new),
    REDISSON_PERMITS("Redisson `RPermitExpirableSemaphore`", Use.PERMITS, place -> new RedissonPermits(place, 4)),
    SPRING_SPIN("Spring Integration, spin", Use.LOCK, place -> new RegistryLocks(place, RedisLockType.SPIN_LOCK)),
    SPRING_PUBSUB(
            "Spring Integration, pub/sub", Use.LOCK, place -> new RegistryLocks(place, RedisLockType.PUB_SUB_LOCK)),
    SHEDLOCK("ShedLock (tries only)", Use.TRY, ShedLocks::new),
    LOCK4J("lock4j", Use.LOCK, Lock4jLocks::new),
    BATON("Baton", Use.LOCK, BatonLocks.with("cohort")::open),
    BATON_STRICT(
            "Baton, strict order (`cohort.limit: 0`)",
            Use.LOCK,
            BatonLocks.with("strict").strict()::open),
    BATON_PIPELINED(
            "Baton, `release: pipelined`",
            Use.LOCK,
            BatonLocks.with("pipelined").configured(builder -> builder.release(ReleaseMode.PIPELINED))::open),
    BATON_JEDIS("Baton over Jedis", Use.LOCK, BatonLocks.with("jedis").overJedis()::open),
    BATON_PERMITS("Baton permits", Use.PERMITS, place -> new BatonPermits(place, 4)),
    BATON_POLLING(
            "Baton, `wait-strategy: polling`",
            Use.LOCK,
            BatonLocks.with("polling").waiting(WaitStrategy.POLLING)::open),
    BATON_KEYSPACE(
            "Baton, `wait-strategy: keyspace`",
            Use.LOCK,
            BatonLocks.with("keyspace").waiting(WaitStrategy.KEYSPACE)::open);

    private final String label;
    private final Use use;
    private final Function<Place, Contender> opening;

    Contestant(String label, Use use, Function<Place, Contender> opening) {
        this.label = label;
        this.use = use;
        this.opening = opening;
    }

    /** What it is called in the report, in Markdown. */
    public String label() {
        return label;
    }

    /** What it can be made to do. */
    public Use use() {
        return use;
    }

    /** Connects in this process. */
    public Contender open(Place place) {
        return opening.apply(place);
    }

    /** Whether Redis has to tell of the changes of keys while it runs, which slows all others and is off for them. */
    public boolean needsKeyspaceEvents() {
        return this == BATON_KEYSPACE;
    }

    /** Returns whether a waiter looks at the lock again after a pause instead of being notified. */
    public boolean polls() {
        return this == SPRING_SPIN || this == LOCK4J || this == BATON_POLLING;
    }

    /** Returns whether it is Baton. */
    public boolean isOurs() {
        return name().startsWith("BATON");
    }

    /** What a contestant can be made to do. */
    public enum Use {
        /** Does not wait: only locks that are free. */
        TRY,
        /** Everything. */
        LOCK,
        /** No lock, but handed on under contention as one. */
        LIMIT,
        /** No lock for more than one process. */
        THREADS,
        /** Wakes one waiter in another process, nothing else. */
        HOP,
        /** Takes one of four permits. */
        PERMITS,
        /** Everything, but is compared with others where locks are shared. */
        READ_WRITE;

        /** Whether locks that are free are taken. */
        public boolean uncontended() {
            return this == TRY || this == LOCK;
        }

        /** Whether it waits for what others hold. */
        public boolean contended() {
            return this == LOCK || this == LIMIT;
        }
    }
}
