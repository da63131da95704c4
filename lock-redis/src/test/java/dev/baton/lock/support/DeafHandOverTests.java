package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TcpProxy;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Hand-over within a process that has lost its subscription. Over Lettuce: Jedis subscribes on any connection of its pool. */
class DeafHandOverTests extends OnBackend {

    private static final LockRequest REQUEST = LockRequest.of("x").waitTime(Duration.ofSeconds(60));

    DeafHandOverTests() {
        super(Backend.LETTUCE);
    }

    @Test
    void waiterIsGrantedAtOnceWithoutASubscription() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate template =
                    apart.start(builder -> builder.cohortLimit(0).recheck(Duration.ofMinutes(5)));
            Lease first = template.acquire(REQUEST);
            Future<Boolean> waiter = threads.submit(() -> template.execute(REQUEST, Lease::isHeld));
            await().until(() -> redis.command("ZCARD", "lock:queue:{x.global}"), size -> size.equals(1L));
            proxy.refuse();
            assertThat(proxy.cutSubscribers()).isPositive();
            await().until(() -> !redis.command("PUBSUB", "CHANNELS").toString().contains("inbox"));
            first.close();
            assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
            proxy.forward();
        }
    }
}
