package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** More is asked at once than Redis can answer in time. */
class CongestionTests {

    private static final int WAITERS = 10_000;
    private static final Duration HANGS = Duration.ofSeconds(3);

    /** Repeats of what Redis has not answered must not keep it from answering anything: it would never come back. */
    @Test
    void requestsSentWhileRedisHungAreGrantedInTurn() throws Exception {
        List<Integer> served = Collections.synchronizedList(new ArrayList<>(WAITERS));
        LockRequest request = LockRequest.of("x").waitTime(Duration.ofMinutes(5));
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                Processes processes = new Processes(redis)) {
            LockTemplate template = processes.start();
            Lease gate = template.acquire(request);
            List<CompletableFuture<?>> waiters = new ArrayList<>(WAITERS);
            redis.pause();
            try {
                for (int i = 0; i < WAITERS; i++) {
                    int place = i;
                    waiters.add(template.acquireAsync(request)
                            .thenCompose(lease -> {
                                served.add(place);
                                return lease.releaseAsync();
                            })
                            .toCompletableFuture());
                }
                // longer than an answer is awaited: all of them ask again
                await().pollDelay(HANGS).until(() -> true);
            } finally {
                redis.resume();
            }
            gate.releaseAsync();

            CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
        }
        assertThat(served).hasSize(WAITERS).isSorted();
    }
}
