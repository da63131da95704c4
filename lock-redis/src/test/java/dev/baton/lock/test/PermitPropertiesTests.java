package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockPermits;
import dev.baton.lock.redis.RedisStoreHost;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.Backend;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Tests with random commands the properties of permits: the permits in use (P1), the permits of a crashed holder (P2), the wait
 * of a large request (P3), and the size (P4). {@link PermitRun} checks P1 and P4 after each step.
 */
@Tag("once")
class PermitPropertiesTests {

    private static final LockName POOL = new LockName("", "x.1", true);

    private static PermitRun redis;
    private static PermitRun memory;
    /** Of one property only: a property that fails may still shrink its sample while the next one runs. */
    private static PermitRun alone;

    @BeforeContainer
    static void start() {
        redis = new PermitRun(new RedisStoreHost(Backend.LETTUCE));
        memory = new PermitRun(new MemoryStoreHost());
        alone = new PermitRun(new MemoryStoreHost());
    }

    @AfterContainer
    static void stop() {
        redis.close();
        memory.close();
        alone.close();
    }

    @Property(tries = 20_000)
    void permitsInUseAndSizeInMemory(@ForAll("steps") List<PermitStep> steps) {
        alone.run(steps);
    }

    @Property(tries = 1_500)
    void sameStepsHaveTheSameOutcomeOnRedisAndInMemory(@ForAll("steps") List<PermitStep> steps) {
        assertThat(memory.run(steps)).isEqualTo(redis.run(steps));
    }

    /** P2: the permits of holders that crash are granted by the first recheck after their leases, in order. */
    @Property(tries = 500)
    void crashedHoldersGiveTheirPermitsBack(
            @ForAll @IntRange(min = 1, max = 8) int size, @ForAll List<@IntRange(min = 1, max = 4) Integer> waiting) {
        try (MemoryStoreHost host = new MemoryStoreHost();
                StoreProcess dead = host.start("dead", true);
                StoreProcess live = host.start("live", true)) {
            for (int i = 1; i <= size; i++) {
                dead.acquire(POOL, dead.takes(POOL, i, 1, size));
            }
            List<Request> requests = new ArrayList<>();
            for (int count : waiting) {
                if (count <= size) {
                    requests.add(live.takes(POOL, requests.size() + 1, count, size));
                }
            }
            requests.forEach(request -> live.acquire(POOL, request));
            host.age(Duration.ofMillis(StoreProcess.LEASE + 1));
            if (requests.isEmpty()) {
                return;
            }
            live.told.clear();
            List<Answer> answers =
                    live.acquire(POOL, requests.toArray(Request[]::new)).answers();
            int free = size;
            boolean fits = true;
            for (int i = 0; i < answers.size(); i++) {
                int count = requests.get(i).permits().count();
                fits &= count <= free;
                assertThat(answers.get(i) instanceof Granted).isEqualTo(fits);
                free -= fits ? count : 0;
            }
        }
    }

    /** P3: a request for all permits is granted within its patience and the longest lease, however many others come. */
    @Property(tries = 300)
    void requestForAllPermitsIsGrantedInTime(
            @ForAll @IntRange(min = 2, max = 8) int size,
            @ForAll @IntRange(min = 0, max = 5_000) int patience,
            @ForAll long seed) {
        Random random = new Random(seed);
        try (MemoryStoreHost host = new MemoryStoreHost();
                StoreProcess stream = host.start("stream", true);
                StoreProcess large = host.start("large", true)) {
            int number = 0;
            Deque<Integer> running = new ArrayDeque<>();
            for (int i = 0; i < size; i++) {
                stream.acquire(POOL, one(stream, ++number, size));
                running.add(number);
            }
            Request all = large.request(1, Kind.MESSAGE, StoreProcess.LEASE, -1, patience)
                    .taking(POOL, new LockPermits(size, size));
            large.acquire(POOL, all);
            long waited = 0;
            while (large.told.isEmpty()) {
                assertThat(waited).as("waited").isLessThanOrEqualTo(patience + 3_000L + 200);
                if (!running.isEmpty() && random.nextBoolean()) {
                    stream.end(POOL, running.remove());
                }
                if (stream.acquire(POOL, one(stream, ++number, size)).answers().get(0) instanceof Granted) {
                    running.add(number);
                }
                stream.told.removeIf(told -> running.add(numberOf(told)));
                host.age(Duration.ofMillis(100));
                waited += 100;
            }
        }
    }

    private static int numberOf(Told told) {
        return Integer.parseInt(told.id().substring(told.id().lastIndexOf(':') + 1));
    }

    private static Request one(StoreProcess process, int number, int size) {
        return process.request(number, Kind.MESSAGE, 3_000, -1, 0).taking(POOL, LockPermits.of(size));
    }

    @Provide
    Arbitrary<List<PermitStep>> steps() {
        Arbitrary<Integer> process = Arbitraries.of(0, 0, 1, 1, 2);
        Arbitrary<Integer> number = Arbitraries.integers().between(1, 5);
        // no sum of these times is close to a lease, to three rechecks, or to the length of an override
        Arbitrary<PermitStep> age = Arbitraries.of(7_300L, 19_100L).map(PermitStep.Age::new);
        Arbitrary<PermitStep> acquire = Combinators.combine(
                        process, number, Arbitraries.of(Kind.TRY, Kind.MESSAGE, Kind.MESSAGE, Kind.POLL))
                .as(PermitStep.Acquire::new);
        Arbitrary<PermitStep> end = Combinators.combine(process, number, Arbitraries.of(false, false, true))
                .as(PermitStep.End::new);
        Arbitrary<PermitStep> renew = Combinators.combine(process, number).as(PermitStep.Renew::new);
        Arbitrary<PermitStep> resize = Combinators.combine(
                        Arbitraries.integers().between(0, 9), Arbitraries.of(0L, 25_000L))
                .as(PermitStep.Resize::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(24, acquire),
                        Tuple.of(6, end),
                        Tuple.of(4, renew),
                        Tuple.of(6, age),
                        Tuple.of(2, resize),
                        Tuple.of(1, Arbitraries.just(new PermitStep.ForceRelease())))
                .list()
                .ofMinSize(2)
                .ofMaxSize(40);
    }
}
