package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Suites that are run once more, in another mode. */
final class Suites {

    private Suites() {}

    /** Runs one now: a class, or {@code class#method}. */
    static void assertPasses(String suite) {
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
