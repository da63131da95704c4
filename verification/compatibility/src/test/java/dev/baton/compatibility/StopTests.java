package dev.baton.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests that a stopping application hands its locks over. */
class StopTests {

    private static final Duration SOON = Duration.ofSeconds(3);

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void holderFinishesAndTheOtherApplicationContinuesAtOnce(String driver) throws Exception {
        String client = "--spring.data.redis.client-type=" + driver;
        LockRequest request = LockRequest.of("stop", driver).expire(Duration.ofMinutes(1));
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (ConfigurableApplicationContext stopped = Application.start(client);
                ConfigurableApplicationContext other = Application.start(client)) {
            LockTemplate locks = stopped.getBean(LockTemplate.class);
            CompletableFuture<Boolean> work = CompletableFuture.supplyAsync(() -> locks.execute(request, lease -> {
                held.countDown();
                await().until(() -> mayEnd.getCount() == 0);
                return lease.isHeld();
            }));
            held.await();
            CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(
                    () -> other.getBean(LockTemplate.class).acquire(request));
            CompletableFuture<Void> stop = CompletableFuture.runAsync(stopped::close);
            await().untilAsserted(() -> assertThatExceptionOfType(LockStoreException.class)
                    .isThrownBy(() -> locks.tryAcquire(LockRequest.of("stop", "new"))));
            assertThat(waiter).isNotDone();

            mayEnd.countDown();
            assertThat(work).succeedsWithin(SOON).isEqualTo(true);
            assertThat(waiter).succeedsWithin(SOON).satisfies(Lease::close);
            assertThat(stop).succeedsWithin(Duration.ofSeconds(10));
        }
    }
}
