package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a hand-over does and costs, seen from outside. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class HandOverTests extends OnBackend {

    /** Longer than any of these tests runs, on the slowest machine: no waiter asks twice. */
    private static final Duration LONG_RECHECK = Duration.ofMinutes(5);

    HandOverTests(Backend backend) {
        super(backend);
    }

    @Test
    void uncontendedPairIsTwoScriptCallsAndNoMessage() {
        LockTemplate template = processes.start();
        template.execute("pair", 1, lease -> 1);
        redis.resetStats();
        for (int i = 0; i < 1000; i++) {
            template.execute("pair", 1, lease -> 1);
        }
        PipelinedMode.assertReleased(() -> {
            assertThat(redis.commandStats()).containsEntry("evalsha", 2000L).doesNotContainKeys("eval", "publish");
            assertThat(redis.keys()).containsExactly("lock:fence");
        });
    }

    @Test
    void contendedAcquisitionIsTwoScriptCallsAndAtMostOneMessage() throws Exception {
        List<LockTemplate> templates = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            LockTemplate template = processes.start(builder -> builder.recheck(LONG_RECHECK));
            template.execute("warm-up", p, lease -> 1);
            templates.add(template);
        }
        redis.resetStats();
        LockRequest request = LockRequest.of("shared").waitTime(Duration.ofSeconds(60));
        long acquisitions = Contention.run(threads, templates, request, 250);
        PipelinedMode.assertReleased(() -> {
            Map<String, Long> stats = redis.commandStats();
            // one more where an acquire is answered after its request has ended: with Jedis its connection may be
            // slower,
            // and with Lettuce the message of the grant may be faster, which is rare
            long more = acquisitions / (backend.client() == Client.JEDIS ? 20 : 200);
            assertThat(stats.get("evalsha")).isBetween(2 * acquisitions, 2 * acquisitions + more);
            assertThat(stats.getOrDefault("publish", 0L)).isLessThanOrEqualTo(acquisitions);
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
        });
        // where no order is kept, an acquire may be answered after its request has ended
        await().until(() ->
                templates.stream().allMatch(template -> template.engine().openRequests() == 0));
    }

    @Test
    void waiterIsHandedTheLockByTheRelease() throws Exception {
        LockTemplate one = processes.start(builder -> builder.recheck(LONG_RECHECK));
        LockTemplate other = processes.start(builder -> builder.recheck(LONG_RECHECK));
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            Lease first = one.acquire(LockRequest.of("x"));
            Future<Long> second = threads.submit(() -> other.execute("x", "global", lease -> System.nanoTime()));
            awaitQueued("x.global");
            long released = System.nanoTime();
            first.close();
            quickest = Math.min(quickest, second.get(10, TimeUnit.SECONDS) - released);
        }
        assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void waitersAreServedInTheOrderOfTheirArrival() throws Exception {
        List<LockTemplate> templates = List.of(processes.start(), processes.start(), processes.start());
        List<Integer> served = new ArrayList<>();
        Lease first = templates.get(0).acquire(LockRequest.of("x"));
        List<Future<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int place = i;
            waiters.add(
                    threads.submit(() -> templates.get(place % 3).execute("x", "global", lease -> served.add(place))));
            await().until(() -> ((Long) redis.command("ZCARD", "lock:queue:{x.global}")) == place + 1);
        }
        first.close();
        for (Future<?> waiter : waiters) {
            waiter.get(10, TimeUnit.SECONDS);
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void tokensGrowOverHandOversAndDataLoss() throws Exception {
        LockTemplate template = processes.start();
        long first = template.execute("x", 1, Lease::fencingToken);
        long second = template.execute("x", 1, Lease::fencingToken);
        redis.command("FLUSHALL");
        long third = template.execute("x", 1, Lease::fencingToken);
        assertThat(second).isGreaterThan(first);
        assertThat(third).isGreaterThan(second);
    }

    @Test
    void waiterOfAClosedProcessIsPassedOver() throws Exception {
        LockTemplate holder = processes.start(builder -> builder.recheck(LONG_RECHECK));
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate dying = apart.start(builder -> builder.recheck(LONG_RECHECK));
            LockTemplate next = processes.start(builder -> builder.recheck(LONG_RECHECK));
            Lease lease = holder.acquire(LockRequest.of("x"));
            threads.submit(() -> dying.acquire(LockRequest.of("x").waitUnbounded()));
            awaitQueued("x.global");
            Future<Boolean> granted = threads.submit(() -> next.execute("x", "global", Lease::isHeld));
            await().until(() -> ((Long) redis.command("ZCARD", "lock:queue:{x.global}")) == 2);
            // its connections end as those of a killed process do: it sends nothing more
            proxy.close();
            await().until(() -> redis.command("PUBSUB", "CHANNELS").toString().split("inbox").length - 1 == 2);
            lease.close();
            assertThat(granted.get(2, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void awaitQueued(String name) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> redis.keys().contains("lock:queue:{" + name + "}"));
    }
}
