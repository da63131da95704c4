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

/** What a hand-over within one process does and costs in strict order, seen from outside. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class OwnHandOverTests extends OnBackend {

    /** Longer than any of these tests runs: no waiter asks twice. */
    private static final Duration LONG_RECHECK = Duration.ofMinutes(5);

    private static final LockRequest REQUEST = LockRequest.of("x").waitTime(Duration.ofSeconds(60));
    private static final String QUEUE = "lock:queue:{x.global}";

    OwnHandOverTests(Backend backend) {
        super(backend);
    }

    @Test
    void contendedAcquisitionIsTwoScriptCallsAndNoMessage() throws Exception {
        LockTemplate template = start(processes, LONG_RECHECK);
        template.execute("warm-up", 1, lease -> 1);
        redis.resetStats();
        long acquisitions = Contention.run(threads, List.of(template), REQUEST, 250);
        PipelinedMode.assertReleased(() -> {
            Map<String, Long> stats = redis.commandStats();
            // one more where an acquire is answered after its request has ended, which Jedis allows
            long more = backend.client() == Client.JEDIS ? acquisitions / 20 : 4;
            assertThat(stats.get("evalsha")).isBetween(2 * acquisitions, 2 * acquisitions + more);
            assertThat(stats).doesNotContainKey("publish");
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
        });
        await().until(() -> template.engine().openRequests() == 0);
    }

    @Test
    void waitersAreServedInTheOrderOfTheirArrival() throws Exception {
        LockTemplate template = start(processes, LONG_RECHECK);
        List<Integer> served = new ArrayList<>();
        Lease first = template.acquire(REQUEST);
        List<Future<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int place = i;
            waiters.add(threads.submit(() -> template.execute(REQUEST, lease -> served.add(place))));
            awaitQueued(place + 1);
        }
        first.close();
        for (Future<?> waiter : waiters) {
            waiter.get(10, TimeUnit.SECONDS);
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    /** Those of another process wait among them, and are told by a message. */
    @Test
    void waitersOfTwoProcessesAreServedInTheOrderOfTheirArrival() throws Exception {
        List<LockTemplate> templates = List.of(start(processes, LONG_RECHECK), start(processes, LONG_RECHECK));
        List<Integer> served = new ArrayList<>();
        Lease first = templates.get(0).acquire(REQUEST);
        redis.resetStats();
        List<Future<?>> waiters = new ArrayList<>();
        int[] processOf = {0, 0, 1, 1, 0};
        for (int i = 0; i < processOf.length; i++) {
            int place = i;
            waiters.add(
                    threads.submit(() -> templates.get(processOf[place]).execute(REQUEST, lease -> served.add(place))));
            awaitQueued(place + 1);
        }
        first.close();
        for (Future<?> waiter : waiters) {
            waiter.get(10, TimeUnit.SECONDS);
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4);
        assertThat(redis.commandStats()).as("from one to the other and back").containsEntry("publish", 2L);
    }

    @Test
    void waiterIsGrantedAtOnceWhoseMessagesAreLost() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate template = start(apart, LONG_RECHECK);
            Lease first = template.acquire(REQUEST);
            proxy.swallowMessages();
            assertServedInTurn(template, first);
        }
    }

    /** Two waiters; the second is handed the lock by the first. */
    private void assertServedInTurn(LockTemplate template, Lease first) throws Exception {
        Future<Boolean> second = threads.submit(() -> template.execute(REQUEST, Lease::isHeld));
        awaitQueued(1);
        Future<Boolean> third = threads.submit(() -> template.execute(REQUEST, Lease::isHeld));
        awaitQueued(2);
        first.close();
        assertThat(second.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(third.get(10, TimeUnit.SECONDS)).isTrue();
    }

    /** The end is sent again and finds nothing to end, so a waiter may hold the lock without knowing it. */
    @Test
    void waiterAsksAtOnceWhenTheAnswerToTheReleaseIsLost() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate template = start(apart, LONG_RECHECK);
            // Redis knows the scripts from now on: else the answer that is cut off says that it does not
            template.acquire(REQUEST).close();
            Lease first = template.acquire(REQUEST);
            Future<Boolean> waiter = threads.submit(() -> template.execute(REQUEST, Lease::isHeld));
            await().until(() -> template.engine().awaitedNames() == 1);
            proxy.cutAnswer(0);
            assertThat(first.release()).isTrue();
            assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static LockTemplate start(Processes processes, Duration recheck) {
        return processes.start(builder -> builder.cohortLimit(0).recheck(recheck));
    }

    private void awaitQueued(long count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> redis.command("ZCARD", QUEUE), size -> size.equals(count));
    }
}
