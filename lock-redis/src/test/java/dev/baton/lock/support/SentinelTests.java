package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCapabilities.Topology;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.Sentinels;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A Redis behind a sentinel, whose master dies while a lock is held and waited for. */
@ParameterizedClass
@MethodSource("setups")
@Tag("once")
class SentinelTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");
    /** What a failover takes, on a busy machine. */
    private static final Duration FAILOVER = Duration.ofSeconds(40);

    private final Setup setup;
    private TestRedis master;
    private TestRedis replica;
    private Sentinels sentinels;
    private Processes processes;

    SentinelTests(Setup setup) {
        this.setup = setup;
    }

    /** Every strategy, handler and client once. */
    static List<Setup> setups() {
        return List.of(
                new Setup(WaitStrategy.GRANT, LockHandler.SCRIPT, Client.LETTUCE, 0),
                new Setup(WaitStrategy.GRANT, LockHandler.SCRIPT, Client.JEDIS, 1),
                new Setup(WaitStrategy.POLLING, LockHandler.TRANSACTION, Client.LETTUCE, 1),
                new Setup(WaitStrategy.KEYSPACE, LockHandler.TRANSACTION, Client.JEDIS, 0));
    }

    @BeforeEach
    void start() throws Exception {
        master = setup.backend().startOpenRedis();
        replica = setup.backend().startOpenRedis("replicaof " + master.host() + " " + master.port());
        sentinels = new Sentinels(master);
        processes = new Processes(this::connect, setup::configure);
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        sentinels.close();
        replica.close();
        master.close();
    }

    private Connections connect() {
        RedisSentinelConfiguration where =
                new RedisSentinelConfiguration(Sentinels.MASTER, Set.of(master.host() + ":" + sentinels.port()));
        where.setDatabase(setup.database());
        where.setUsername(Backend.USER);
        where.setPassword(Backend.USER);
        if (setup.client() == Client.LETTUCE) {
            LettuceConnectionFactory lettuce = new LettuceConnectionFactory(where);
            lettuce.afterPropertiesSet();
            lettuce.start();
            return new Connections(lettuce, lettuce::destroy);
        }
        JedisConnectionFactory jedis = new JedisConnectionFactory(where);
        jedis.afterPropertiesSet();
        jedis.start();
        return new Connections(jedis, jedis::destroy);
    }

    @Test
    void lockThatTheReplicaKnewOutlivesItsMasterAndIsHandedOver() throws Exception {
        LockTemplate one = start(processes);
        LockTemplate other = start(processes);
        Lease lease = one.acquire(X.expire(Duration.ofMinutes(2)).waitTime(FAILOVER));
        assertThat(one.capabilities().topology()).isEqualTo(Topology.SENTINEL);
        assertThat(other.tryAcquire(X)).isEmpty();
        await().until(() -> replica.keys().contains(LOCK));

        master.stop();
        await().atMost(FAILOVER).until(() -> sentinels.masterPort() == replica.port());
        await().atMost(FAILOVER).ignoreExceptions().until(lease::renew);
        await().atMost(FAILOVER)
                .ignoreExceptions()
                .until(() -> other.tryAcquire(X).isEmpty());
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> other.acquire(X.waitTime(FAILOVER)));
        await().until(() -> other.engine().awaitedNames() == 1);
        assertThat(waiter).isNotDone();
        assertThat(lease.release()).isTrue();
        Lease next = waiter.get(20, TimeUnit.SECONDS);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(next.release()).isTrue();
        assertThat(replica.lastingKeys()).containsExactly("lock:fence");
    }

    private static LockTemplate start(Processes processes) {
        return processes
                .startDeaf(builder -> builder.recheck(Duration.ofMillis(500)))
                .template();
    }
}
