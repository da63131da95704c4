package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The suites that say how a lock behaves, once more, with processes that pass locks on within themselves. Not among them are those
 * that look at the queue of one process in Redis, or count its commands.
 */
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
            "dev.baton.lock.support.SpecRowTests",
            "dev.baton.lock.faults.HungRedisTests",
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
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build());
        Outcome outcome = new Outcome();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .filters(EngineFilter.includeEngines("junit-jupiter"))
                        .selectors(suite.contains("#") ? selectMethod(suite) : selectClass(suite))
                        .build(),
                outcome);
        assertThat(outcome.failed).isEmpty();
        assertThat(outcome.passed).as("tests of " + suite).hasPositiveValue();
    }

    private static final class Outcome implements TestExecutionListener {

        private final AtomicInteger passed = new AtomicInteger();
        private final Queue<String> failed = new ConcurrentLinkedQueue<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == Status.SUCCESSFUL && test.isTest()) {
                passed.incrementAndGet();
            } else if (result.getStatus() == Status.FAILED) {
                failed.add(test.getUniqueId() + ": " + result.getThrowable().orElse(null));
            }
        }
    }
}
