package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.History;
import dev.baton.lock.harness.HistoryChecker;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes that wait in every way, by script and by transaction, over both clients, on the same locks. */
class MixedFleetTests {

    private static final Logger log = LoggerFactory.getLogger(MixedFleetTests.class);

    private static final String QUEUE = "lock:queue:{x.global}";
    private static final Duration RUN = Duration.ofSeconds(8);
    /** So often each process has held the lock at the end. */
    private static final int SHARE = 10;
    /** A slow machine goes on for longer, not for ever. */
    private static final Duration LONGEST_RUN = Duration.ofSeconds(60);
    /** No request waits for longer, although the lock is in use for a third of the time. */
    private static final Duration BOUND = Duration.ofSeconds(6);
    /** A waiter without a queue has no turn, only luck. It is served in the end, because the others stop after the run. */
    private static final Duration BOUND_OF_LUCK = Duration.ofSeconds(20);

    private static final int THREADS = 2;

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void allowTransactionsWithoutScripts() {
        redis.command("ACL", "SETUSER", "plain", "reset", "on", ">plain", "~lock:*", "&*", "+@all", "-@scripting");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        redis.close();
    }

    @Test
    void neverTwoHoldAndTokensGrowAndNoWaiterStarves() throws Exception {
        Map<String, AtomicLong> grants =
                run((setup, random) -> LockRequest.of("x").waitTime(bound(setup)));
        assertThat(grants.values()).allMatch(count -> count.get() >= SHARE);
    }

    /** Some wait in the queues of their locks and some do not, so a request for two may starve until the others stop. */
    @Test
    void neverTwoHoldOneOfSeveralLocksAndTokensGrow() throws Exception {
        Map<String, AtomicLong> grants = run((setup, random) -> {
            List<String> keys = new ArrayList<>(List.of("a", "b", "c"));
            Collections.shuffle(keys, random);
            return LockRequest.ofAll("x", keys.subList(0, 1 + random.nextInt(2)))
                    .waitTime(BOUND_OF_LUCK);
        });
        assertThat(grants.values()).allMatch(count -> count.get() >= SHARE);
    }

    /** Lets all processes acquire locks. Returns how often each did. */
    private Map<String, AtomicLong> run(BiFunction<Setup, Random, LockRequest> wish) throws Exception {
        History history = new History();
        AtomicLong requests = new AtomicLong();
        Map<String, AtomicLong> grants = new ConcurrentSkipListMap<>();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        long begun = System.nanoTime();
        List<LockTemplate> engines = new ArrayList<>();
        for (Setup setup : fleet()) {
            LockTemplate engine = start(setup, builder -> builder.recheck(Duration.ofMillis(300)));
            engines.add(engine);
            AtomicLong count = grants.computeIfAbsent(setup.toString(), key -> new AtomicLong());
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(threads.size());
                threads.add(new Thread(() -> {
                    try {
                        while (goesOn(System.nanoTime() - begun, count.get())) {
                            TimeUnit.MILLISECONDS.sleep(random.nextInt(150));
                            String request = Long.toString(requests.incrementAndGet());
                            Lease lease = engine.acquire(wish.apply(setup, random));
                            for (String name : lease.names()) {
                                history.acquired(setup.toString(), name, request, lease.fencingToken());
                            }
                            TimeUnit.MICROSECONDS.sleep(random.nextInt(3_000));
                            lease.names().forEach(name -> history.released(setup.toString(), name, request));
                            assertThat(lease.release()).isTrue();
                            count.incrementAndGet();
                        }
                    } catch (Throwable ex) {
                        failures.add(ex);
                    }
                }));
            }
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(LONGEST_RUN.plus(BOUND_OF_LUCK).plusSeconds(5).toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        log.info("Grants of the mixed fleet: {}", grants);
        assertThat(failures).isEmpty();
        assertThat(HistoryChecker.violations(history.events())).isEmpty();
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
            assertThat(engines).allSatisfy(engine -> {
                assertThat(engine.engine().openRequests()).isZero();
                assertThat(engine.engine().awaitedNames()).isZero();
            });
        });
        return grants;
    }

    private static Duration bound(Setup setup) {
        return setup.strategy() == WaitStrategy.GRANT ? BOUND : BOUND_OF_LUCK;
    }

    /** A process that has had its share stops after the run, so that in the end only processes without a queue are left. */
    private static boolean goesOn(long nanos, long grants) {
        return nanos < RUN.toNanos() || nanos < LONGEST_RUN.toNanos() && grants < SHARE;
    }

    @Test
    void queuedWaitersAreServedInOrderWhateverTheHandlers() throws Exception {
        LockTemplate script = start(setup(WaitStrategy.GRANT, LockHandler.SCRIPT, Client.LETTUCE), builder -> {});
        LockTemplate lettuce = start(setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, Client.LETTUCE), builder -> {});
        LockTemplate jedis = start(setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, Client.JEDIS), builder -> {});
        LockTemplate polling = start(setup(WaitStrategy.POLLING, LockHandler.SCRIPT, Client.LETTUCE), builder -> {});
        LockTemplate keyspace =
                start(setup(WaitStrategy.KEYSPACE, LockHandler.TRANSACTION, Client.JEDIS), builder -> {});
        Queue<String> served = new ConcurrentLinkedQueue<>();
        List<Thread> waiters = new ArrayList<>();
        Lease held = jedis.acquire(LockRequest.of("x"));
        waiters.add(serve(polling, "polling", served));
        waiters.add(serve(keyspace, "keyspace", served));
        await().until(() -> polling.engine().awaitedNames() + keyspace.engine().awaitedNames() == 2);
        List<LockTemplate> queued = List.of(lettuce, script, jedis, script, lettuce, jedis, script);
        for (int i = 0; i < queued.size(); i++) {
            waiters.add(serve(queued.get(i), Integer.toString(i), served));
            long standing = 1L + i;
            await().pollDelay(Duration.ZERO).until(() -> Long.valueOf(standing).equals(redis.command("ZCARD", QUEUE)));
        }
        held.release();
        for (Thread waiter : waiters) {
            waiter.join(TimeUnit.SECONDS.toMillis(10));
            assertThat(waiter.isAlive()).isFalse();
        }
        assertThat(served).hasSize(9).startsWith("0", "1", "2", "3", "4", "5", "6");
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    private static Thread serve(LockTemplate process, String name, Queue<String> served) {
        Thread thread = new Thread(() -> process.executeWithoutResult(
                LockRequest.of("x").waitTime(Duration.ofSeconds(8)), lease -> served.add(name)));
        thread.start();
        return thread;
    }

    private static List<Setup> fleet() {
        return List.of(
                setup(WaitStrategy.GRANT, LockHandler.SCRIPT, Client.LETTUCE),
                setup(WaitStrategy.GRANT, LockHandler.SCRIPT, Client.JEDIS),
                setup(WaitStrategy.KEYSPACE, LockHandler.SCRIPT, Client.LETTUCE),
                setup(WaitStrategy.KEYSPACE, LockHandler.TRANSACTION, Client.JEDIS),
                setup(WaitStrategy.POLLING, LockHandler.SCRIPT, Client.JEDIS),
                setup(WaitStrategy.POLLING, LockHandler.TRANSACTION, Client.LETTUCE),
                setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, Client.LETTUCE),
                setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, Client.JEDIS));
    }

    private static Setup setup(WaitStrategy strategy, LockHandler handler, Client client) {
        return new Setup(strategy, handler, client, 0);
    }

    /** A process that uses transactions has no right to run scripts, so that it cannot secretly do so. */
    private LockTemplate start(Setup setup, Consumer<LockTemplateBuilder> settings) {
        Processes processes = setup.handler() == LockHandler.TRANSACTION
                ? new Processes(() -> setup.backend().connect(redis.host(), redis.port(), "plain"), setup::configure)
                : setup.on(redis);
        open.add(processes);
        Processes.Started started = processes.startDeaf(settings);
        if (setup.strategy() != WaitStrategy.POLLING) {
            await().until(started.store()::isListening);
        }
        return started.template();
    }
}
