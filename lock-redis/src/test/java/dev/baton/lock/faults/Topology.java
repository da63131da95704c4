package dev.baton.lock.faults;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Real servers whose primaries are replaced or restarted while processes use locks, each over a network of its own. */
abstract class Topology implements FaultSource {

    /** What a failover takes, on a busy machine. */
    static final Duration FAILOVER = Duration.ofSeconds(60);

    private final List<ProcessNetwork> networks = new ArrayList<>();

    /** Returns how processes connect. */
    abstract RedisConfiguration where();

    /** Lets a fault of a server happen, and returns when it is over. */
    abstract String happenToServers(Random random) throws Exception;

    /** Returns the keys of all primaries. */
    abstract SortedSet<String> keys();

    abstract void closeServers();

    /** Connects a process, over a network of its own. */
    final Connections connect() {
        ProcessNetwork network = new ProcessNetwork();
        networks.add(network);
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                where(),
                LettuceClientConfiguration.builder()
                        .clientResources(network.resources())
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        return new Connections(factory, factory::destroy);
    }

    /** Half of the faults hit servers, and half of them hit the network of a process. */
    @Override
    public final String happen(Random random, List<Thread> threads) throws Exception {
        return random.nextBoolean()
                ? happenToServers(random)
                : networks.get(random.nextInt(networks.size())).happen(random);
    }

    @Override
    public int pauseMillis() {
        return 1_000;
    }

    static TestRedis server(String... settings) {
        return Backend.LETTUCE.startOpenRedis(settings);
    }

    static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(FAILOVER)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(condition);
    }

    static boolean follows(RedisView replica) {
        return String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up");
    }

    /** Stops a server for a while, shorter or longer than a failover takes to begin. */
    static void pause(TestRedis server, Random random) throws InterruptedException {
        server.pause();
        TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(4_000));
        server.resume();
    }

    @Override
    public final void close() {
        networks.forEach(ProcessNetwork::close);
        closeServers();
    }
}
