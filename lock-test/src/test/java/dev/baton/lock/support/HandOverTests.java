package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.test.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandOverTests {

    @Test
    void uncontendedPairIsTwoScriptCallsAndNoMessage() throws Exception {
        try (TestRedis redis = TestRedis.start(); Processes processes = new Processes(redis)) {
            LockTemplate template = processes.start();
            template.execute("pair", 1, lease -> 1);
            redis.resetStats();
            for (int i = 0; i < 1000; i++) {
                template.execute("pair", 1, lease -> 1);
            }
            Map<String, Long> stats = redis.commandStats();
            assertThat(stats.get("evalsha")).isEqualTo(2000);
            assertThat(stats).doesNotContainKeys("publish", "eval");
            assertThat(redis.keys()).containsExactly("lock:fence");
        }
    }

    @Test
    void waiterTakesOverAtOnce() throws Exception {
        try (TestRedis redis = TestRedis.start(); Processes processes = new Processes(redis)) {
            LockTemplate one = processes.start(b -> b.recheck(Duration.ofSeconds(5)));
            LockTemplate other = processes.start(b -> b.recheck(Duration.ofSeconds(5)));
            List<Long> took = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Lease first = one.acquire(LockRequest.of("x"));
                CompletableFuture<Long> second = CompletableFuture.supplyAsync(() -> {
                    try (Lease lease = other.acquire(LockRequest.of("x"))) {
                        return System.nanoTime();
                    }
                });
                org.awaitility.Awaitility.await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
                long released = System.nanoTime();
                first.close();
                took.add((second.get(10, TimeUnit.SECONDS) - released) / 1000);
            }
            System.out.println(took);
        }
    }

    @Test
    void throughput() throws Exception {
        try (TestRedis redis = TestRedis.start(); Processes processes = new Processes(redis)) {
            List<Thread> threads = new ArrayList<>();
            int[] counter = {0};
            long t0 = System.nanoTime();
            for (int p = 0; p < 4; p++) {
                LockTemplate t = processes.start();
                for (int k = 0; k < 4; k++) {
                    Thread thread = new Thread(() -> {
                        for (int i = 0; i < 1000; i++) {
                            t.execute("x", 1, lease -> counter[0]++);
                        }
                    });
                    thread.start();
                    threads.add(thread);
                }
            }
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println(counter[0] + " in " + (System.nanoTime() - t0) / 1000000 + " ms " + redis.commandStats());
            assertThat(counter[0]).isEqualTo(16000);
            assertThat(redis.keys()).allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:"));
        }
    }
}
