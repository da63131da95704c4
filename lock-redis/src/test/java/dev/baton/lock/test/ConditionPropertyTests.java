package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.RedisStoreHost;
import dev.baton.lock.support.Backend;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Tests with random commands what conditions promise, against a model that has queues and lists and nothing else, on the
 * stores in memory and on Redis. The numbers of the properties are those of the design. C6, the behavior of
 * {@link java.util.concurrent.locks.Condition}, has {@link dev.baton.lock.scenario.JavaConditionScenarios}.
 */
@Tag("once")
class ConditionPropertyTests {

    private static ConditionRun redis;
    private static ConditionRun memory;

    @BeforeContainer
    static void start() {
        redis = new ConditionRun(new RedisStoreHost(Backend.LETTUCE));
        memory = new ConditionRun(new MemoryStoreHost());
    }

    @AfterContainer
    static void stop() {
        redis.close();
        memory.close();
    }

    private static void run(List<ConditionRun.Step> steps, Consumer<ConditionRun> check) {
        for (ConditionRun run : List.of(memory, redis)) {
            run.begin();
            for (ConditionRun.Step step : steps) {
                run.carryOut(step);
                check.accept(run);
            }
        }
    }

    /** A signal that moved a request ends in a holder that took the lock, or in the queue, or was passed on to the last. */
    @Property(tries = 300)
    void c1SignalsAreConserved(@ForAll("steps") List<ConditionRun.Step> steps) {
        run(steps, run -> assertThat(run.moved).isEqualTo(run.spent + run.unspent + run.signalledNow()));
    }

    @Property(tries = 300)
    void c2AwaitHandsTheLockOverInTheSameStep(@ForAll("steps") List<ConditionRun.Step> steps) {
        run(steps, run -> assertThat(run.storeHolder()).isEqualTo(run.modelHolder()));
    }

    @Property(tries = 300)
    void c3NoWakeUpIsLostWithTheData(@ForAll("steps") List<ConditionRun.Step> steps) {
        for (ConditionRun run : List.of(memory, redis)) {
            run.begin();
            steps.forEach(run::carryOut);
            assertThat(run.wokenAfterLoss()).isEqualTo(run.awaitingBeforeLoss());
        }
    }

    @Property(tries = 300)
    void c4EitherTheSignalOrTheTimeOutComesFirst(@ForAll("steps") List<ConditionRun.Step> steps) {
        run(steps, run -> assertThat(run.said).isEqualTo(run.expected));
    }

    @Property(tries = 300)
    void c5ConditionsDoNotMix(@ForAll("steps") List<ConditionRun.Step> steps) {
        run(steps, run -> assertThat(run.signalled).isEqualTo(run.expectedSignalled));
    }

    @Provide
    Arbitrary<List<ConditionRun.Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(ConditionRun.What.values()),
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.of("c", "c", "d"))
                .as(ConditionRun.Step::new)
                .list()
                .ofMinSize(4)
                .ofMaxSize(40);
    }
}
