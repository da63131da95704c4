package dev.baton.lock.support;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Suites that say how a lock behaves, once more, with releases that do not wait for their answers: those in which no key is taken
 * away from its holder, because the holder would be told of it at the release.
 */
@Tag("nightly")
class PipelinedModeTests {

    static final List<String> SUITES = List.of(
            "dev.baton.lock.support.MutexBehaviourTests",
            "dev.baton.lock.support.ReentryTests",
            "dev.baton.lock.support.OwnerTests",
            "dev.baton.lock.support.StopBehaviourTests",
            "dev.baton.lock.support.AsyncTests",
            "dev.baton.lock.support.ReactiveTests",
            "dev.baton.lock.support.SeveralLocksTests",
            "dev.baton.lock.support.SpecRowTests",
            "dev.baton.lock.support.HandOverTests",
            "dev.baton.lock.support.PollingTests",
            "dev.baton.lock.support.KeyspaceTests",
            "dev.baton.lock.support.VerifyTests",
            "dev.baton.lock.faults.HungRedisTests");

    private static final String HISTORY =
            "dev.baton.lock.faults.RandomFaultTests#noTwoHoldAndTokensGrowAndNothingIsLeft";
    private static final String MIXED_HISTORY =
            "dev.baton.lock.faults.MixedLoadTests#oneHolderAtATimeInTurnWithGrowingTokensAndNoLostWakeUp";

    @BeforeEach
    void turnOn() {
        PipelinedMode.set(true);
    }

    @AfterEach
    void turnOff() {
        PipelinedMode.set(false);
        CohortMode.set(0);
    }

    @ParameterizedTest
    @FieldSource("SUITES")
    void behavesAsConfirmed(String suite) {
        Suites.assertPasses(suite);
    }

    /** With strict order, and with processes that pass locks on within themselves. */
    @ParameterizedTest
    @CsvSource({"0, " + HISTORY, "32, " + HISTORY, "0, " + MIXED_HISTORY})
    void historyUnderFaultsIsThatOfALock(int passes, String suite) {
        CohortMode.set(passes);
        Suites.assertPasses(suite);
    }
}
