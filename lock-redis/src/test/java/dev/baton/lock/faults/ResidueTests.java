package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests that a thousand acquisitions, time-outs and cancels, with interrupts and killed processes, leave nothing
 * behind.
 */
class ResidueTests {

    private static final int EACH = 340;
    private static final int KILLED = 3;
    /** The number of rounds after which a process is killed. */
    private static final int LIFE = 10;

    /** A lease that outlasts the pauses of a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(6);

    /** One lease and fourteen rechecks, with some reserve for a busy machine. */
    private static final Duration CLEAN =
            LONG.plus(FaultRun.RECHECK.multipliedBy(14)).plusSeconds(2);

    /** The longest life of a mark: a minute, with these time-outs and leases. */
    private static final Duration MARK = Duration.ofSeconds(60);

    private static final Duration SOON = Duration.ofSeconds(10);
    /** Threads for callbacks live for half a minute without work. */
    private static final Duration IDLE = Duration.ofSeconds(45);

    private static final List<String> TOOLS =
            List.of("awaitility", "process reaper", "stdout-", "stderr-", "ForkJoinPool.commonPool");

    private static final LockRequest LOCK = LockRequest.of("k", "a");
    private static final LockRequest BUSY = LockRequest.of("k", "b");

    @Test
    void nothingIsLeftInRedisNorInTheProcess() throws Exception {
        try (TestRedis redis = Backend.LETTUCE.startRedis()) {
            try (Engine engine = start(redis, FaultRun.LEASE);
                    Engine other = start(redis, LONG)) {
                work(redis, engine, other, 30, 1);
                assertClean(redis, List.of(engine, other));
                Map<String, Long> before = threads();
                work(redis, engine, other, EACH, KILLED);
                assertClean(redis, List.of(engine, other));
                await().atMost(IDLE)
                        .untilAsserted(() -> assertThat(more(threads(), before))
                                .as("threads that were not there before")
                                .isEmpty());
            }
            await().atMost(SOON).until(() -> threads().keySet().stream().noneMatch(name -> name.startsWith("baton-")));
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat((List<?>) redis.command("PUBSUB", "CHANNELS"))
                            .isEmpty());
        }
    }

    /**
     * Runs the given number of acquisitions, time-outs and cancels, while other JVMs hold and await the same locks
     * until they are killed.
     */
    private static void work(TestRedis redis, Engine engine, Engine other, int each, int kills) throws Exception {
        List<JavaProcess> dying = new ArrayList<>();
        try (Lease busy = other.locks().acquire(BUSY.waitTime(Duration.ofSeconds(20)))) {
            for (int i = 0; i < kills; i++) {
                dying.add(JavaProcess.start(
                        MixedProcess.class,
                        redis.host(),
                        "" + redis.port(),
                        "k" + i,
                        "10",
                        "" + (each + i),
                        "32",
                        "LETTUCE"));
            }
            dying.forEach(jvm -> jvm.awaitLine("ready", Duration.ofSeconds(90)));
            for (int i = 0; i < each; i++) {
                if (i % LIFE == LIFE - 1 && i / LIFE < kills) {
                    dying.get(i / LIFE).kill();
                }
                acquire(engine);
                timeOut(engine, i);
                cancel(engine);
                interrupt(engine, i);
            }
        } finally {
            dying.forEach(JavaProcess::close);
        }
    }

    private static Engine start(TestRedis redis, Duration lease) {
        return Engine.start(
                redis.host(), redis.port(), builder -> builder.expire(lease).recheck(FaultRun.RECHECK));
    }

    private static void acquire(Engine engine) {
        engine.locks().acquire(LOCK.waitTime(Duration.ofSeconds(20))).close();
    }

    private static void timeOut(Engine engine, int i) {
        // the wait may end before Redis has answered, with another exception
        assertThatThrownBy(() -> engine.locks().acquire(BUSY.waitTime(Duration.ofMillis(i % 3))))
                .isInstanceOf(LockException.class);
    }

    private static void cancel(Engine engine) {
        CompletableFuture<Lease> lease = engine.locks().acquireAsync(BUSY).toCompletableFuture();
        assertThat(lease.cancel(true)).isTrue();
    }

    private static void interrupt(Engine engine, int i) throws InterruptedException {
        if (i % 10 > 0) {
            return;
        }
        Thread waiter = new Thread(() -> {
            try {
                engine.locks().acquire(BUSY);
            } catch (LockException expected) {
                // interrupted
            }
        });
        waiter.start();
        TimeUnit.MILLISECONDS.sleep(1);
        waiter.interrupt();
        waiter.join();
    }

    private static void assertClean(TestRedis redis, List<Engine> engines) {
        await().atMost(CLEAN).untilAsserted(() -> {
            assertThat(redis.keys()).allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:"));
            for (Engine engine : engines) {
                assertThat(EngineCounters.openRequests(engine.locks()))
                        .as("openRequests")
                        .isZero();
                assertThat(EngineCounters.awaitedNames(engine.locks()))
                        .as("awaitedNames")
                        .isZero();
                assertThat(EngineCounters.waiters(engine.locks())).as("waiters").isZero();
                assertThat(EngineCounters.timers(engine.locks())).as("timers").isZero();
            }
            assertThat((List<?>) redis.command("PUBSUB", "CHANNELS")).hasSize(engines.size());
        });
        for (String key : redis.keys()) {
            if (key.startsWith("lock:over:")) {
                // -2: expired meanwhile
                assertThat(redis.ttl(key)).as(key).isNotEqualTo(-1).isLessThanOrEqualTo(MARK.toMillis());
            }
        }
    }

    /** Returns the number of live threads by name without digits, except the threads of the test tools. */
    private static Map<String, Long> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName().replaceAll("[0-9]+", "#"))
                .filter(name -> TOOLS.stream().noneMatch(name::startsWith))
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Long> more(Map<String, Long> now, Map<String, Long> before) {
        Map<String, Long> more = new TreeMap<>(now);
        more.entrySet().removeIf(entry -> entry.getValue() <= before.getOrDefault(entry.getKey(), 0L));
        return more;
    }
}
