package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.RedisStoreHost;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.support.Backend;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Tests with random commands that the stores on Redis and in memory give the same answers, grants, messages and order
 * of tokens.
 */
@Tag("once")
class SameStoresTests {

    /** Whether requests for several names are among the steps. */
    private static final boolean SEVERAL_NAMES = true;

    private static StoreRun redis;
    private static StoreRun memory;

    @BeforeContainer
    static void start() {
        redis = new StoreRun(new RedisStoreHost(Backend.LETTUCE));
        memory = new StoreRun(new MemoryStoreHost());
    }

    @AfterContainer
    static void stop() {
        redis.close();
        memory.close();
    }

    @Property(tries = 3_000)
    void sameStepsHaveTheSameOutcome(@ForAll("steps") List<StoreStep> steps) {
        assertThat(memory.run(steps)).isEqualTo(redis.run(steps));
    }

    @Provide
    Arbitrary<List<StoreStep>> steps() {
        return Arbitraries.frequencyOf(
                        Tuple.of(24, acquire()),
                        Tuple.of(4, acquireBriefly()),
                        Tuple.of(12, end()),
                        Tuple.of(6, exchange()),
                        Tuple.of(4, downgrade()),
                        Tuple.of(6, await()),
                        Tuple.of(6, atCondition()),
                        Tuple.of(3, endAtCondition()),
                        Tuple.of(4, signal()),
                        Tuple.of(2, renew()),
                        Tuple.of(2, extend()),
                        Tuple.of(2, lock().map(StoreStep.ForceRelease::new)),
                        Tuple.of(2, lock().map(StoreStep.Expire::new)),
                        Tuple.of(2, lock().map(StoreStep.Inspect::new)))
                .list()
                .ofMinSize(2)
                .ofMaxSize(40);
    }

    private static Arbitrary<StoreStep> acquire() {
        Arbitrary<List<StoreStep.NumberedRequest>> several = Combinators.combine(
                        anyNumber(), Arbitraries.of(Kind.values()))
                .as(StoreStep.NumberedRequest::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .uniqueElements(StoreStep.NumberedRequest::number);
        return Combinators.combine(process(), locks(), several)
                .as((process, locks, requests) ->
                        // a command for several names carries only one request
                        new StoreStep.Acquire(process, locks, locks == 2 ? requests.subList(0, 1) : requests));
    }

    private static Arbitrary<StoreStep> acquireBriefly() {
        return Combinators.combine(process(), locks(), anyNumber(), Arbitraries.of(true, false))
                .as(StoreStep.AcquireBriefly::new);
    }

    private static Arbitrary<StoreStep> end() {
        return Combinators.combine(process(), locks(), ended(), Arbitraries.of(false, false, false, true))
                .as(StoreStep.End::new);
    }

    private static Arbitrary<StoreStep> exchange() {
        return Combinators.combine(
                        process(),
                        lock(),
                        number(),
                        Arbitraries.of(Kind.MESSAGE, Kind.MESSAGE, Kind.POLL),
                        Arbitraries.of(false, false, false, true))
                .as((process, lock, number, kind, marked) ->
                        // never the same request, because an id is used once
                        new StoreStep.Exchange(process, lock, number, number % 3 + 1, kind, marked));
    }

    private static Arbitrary<StoreStep> renew() {
        return Combinators.combine(process(), locks(), anyNumber(), Arbitraries.of(0L, 30_000L, 120_000L))
                .as(StoreStep.Renew::new);
    }

    private static Arbitrary<StoreStep> extend() {
        return Combinators.combine(process(), lock(), anyNumber(), Arbitraries.of(1L, 30_000L, 120_000L))
                .as(StoreStep.Extend::new);
    }

    private static Arbitrary<StoreStep> downgrade() {
        return Combinators.combine(process(), lock(), number()).as(StoreStep.Downgrade::new);
    }

    private static Arbitrary<StoreStep> await() {
        return Combinators.combine(process(), lock(), number()).as(StoreStep.Await::new);
    }

    private static Arbitrary<StoreStep> atCondition() {
        return Combinators.combine(
                        process(),
                        lock(),
                        number(),
                        Arbitraries.of(true, true, false),
                        Arbitraries.of(Kind.MESSAGE, Kind.MESSAGE, Kind.POLL))
                .as(StoreStep.AtCondition::new);
    }

    private static Arbitrary<StoreStep> endAtCondition() {
        return Combinators.combine(process(), lock(), number(), Arbitraries.of(true, false))
                .as(StoreStep.EndAtCondition::new);
    }

    private static Arbitrary<StoreStep> signal() {
        return Combinators.combine(
                        process(),
                        lock(),
                        Arbitraries.of(0, 0, 1, 2, 3),
                        Arbitraries.of("c", "c", "d"),
                        Arbitraries.of(1, 1, 2, 5),
                        Arbitraries.of(false, false, true))
                .as(StoreStep.Signal::new);
    }

    private static Arbitrary<Integer> process() {
        return Arbitraries.of(0, 0, 1, 1, 2);
    }

    private static Arbitrary<Integer> locks() {
        return SEVERAL_NAMES ? Arbitraries.of(0, 0, 1, 2) : Arbitraries.of(0, 0, 0, 1);
    }

    private static Arbitrary<Integer> lock() {
        return Arbitraries.of(0, 0, 1);
    }

    private static Arbitrary<Integer> number() {
        return Arbitraries.integers().between(1, 3);
    }

    /** Writers and readers. */
    private static Arbitrary<Integer> anyNumber() {
        return Arbitraries.integers().between(1, StoreStep.READER + 1);
    }

    /** Requests that may wait without a bound, those that give up, and those that were downgraded to. */
    private static Arbitrary<Integer> ended() {
        return Arbitraries.frequencyOf(
                Tuple.of(5, anyNumber()),
                Tuple.of(1, number().map(number -> number + StoreStep.DOWNGRADED)),
                Tuple.of(1, anyNumber().map(number -> number + StoreStep.GIVE_UP)));
    }
}
