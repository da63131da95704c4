package dev.baton.lock.support;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The suites that say how a lock behaves, once more, with processes that pass locks on within themselves. Not among them are those
 * that look at the queue of one process in Redis, or count its commands.
 */
@Tag("nightly")
class CohortModeTests {

    static final List<String> SUITES = List.of(
            "dev.baton.lock.support.MutexBehaviourTests",
            "dev.baton.lock.support.ReentryTests",
            "dev.baton.lock.support.OwnerTests",
            "dev.baton.lock.support.LossTests",
            "dev.baton.lock.support.OnLostTests",
            "dev.baton.lock.support.StopBehaviourTests",
            "dev.baton.lock.support.AsyncTests",
            "dev.baton.lock.support.ReactiveTests",
            "dev.baton.lock.support.SeveralLocksTests",
            "dev.baton.lock.support.SeveralLocksPatienceTests",
            "dev.baton.lock.support.VerifyTests",
            "dev.baton.lock.support.LeaseTests",
            "dev.baton.lock.support.LeaseQueueTests",
            "dev.baton.lock.support.KeyTests",
            "dev.baton.lock.support.EmMutexTests",
            "dev.baton.lock.support.ComputeIfAbsentTests",
            "dev.baton.lock.support.SpecRowTests",
            "dev.baton.lock.support.SpecMultiRowTests",
            "dev.baton.lock.faults.HungRedisTests",
            "dev.baton.lock.faults.TornAnswerTests",
            "dev.baton.lock.faults.RandomFaultTests#noTwoHoldAndTokensGrowAndNothingIsLeft");

    private static final int LIMIT = 32;

    @BeforeEach
    void turnOn() {
        CohortMode.set(LIMIT);
    }

    @AfterEach
    void turnOff() {
        CohortMode.set(0);
    }

    @ParameterizedTest
    @FieldSource("SUITES")
    void behavesAsInStrictOrder(String suite) {
        Suites.assertPasses(suite);
    }
}
