package dev.baton.lock.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.baton.lock.redis.ScriptServer;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the script tests in this JVM until the first failure. */
final class ScriptTestRun {

    private final Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .build());
    /** The class that failed last runs first, because the next mutant is often in the same place. */
    private final List<Class<?>> classes;

    ScriptTestRun(List<Class<?>> classes) {
        this.classes = new ArrayList<>(classes);
    }

    /**
     * The result of a run.
     *
     * @param passed the number of tests that passed
     * @param failed the test that failed
     */
    record Outcome(int passed, Optional<String> failed) {}

    Outcome run() {
        FirstFailure listener = new FirstFailure();
        launcher.execute(LauncherExecutionRequestBuilder.request(request())
                .listeners(listener)
                .cancellationToken(listener.cancellation)
                .build());
        if (listener.unanswered()) {
            // the script loops forever, or the server has crashed
            ScriptServer.restart();
        }
        return new Outcome(listener.passed.get(), Optional.ofNullable(listener.failed.get()));
    }

    private LauncherDiscoveryRequest request() {
        var request = LauncherDiscoveryRequestBuilder.request().filters(EngineFilter.includeEngines("junit-jupiter"));
        classes.forEach(tests -> request.selectors(selectClass(tests)));
        return request.build();
    }

    private void first(Class<?> killer) {
        if (classes.remove(killer)) {
            classes.add(0, killer);
        }
    }

    private final class FirstFailure implements TestExecutionListener {

        private final CancellationToken cancellation = CancellationToken.create();
        private final AtomicInteger passed = new AtomicInteger();
        private final AtomicReference<String> failed = new AtomicReference<>();
        private final AtomicReference<Throwable> cause = new AtomicReference<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == Status.SUCCESSFUL && test.isTest()) {
                passed.incrementAndGet();
            } else if (result.getStatus() == Status.FAILED) {
                cancellation.cancel();
                failed.compareAndSet(null, test.getLegacyReportingName());
                cause.compareAndSet(null, result.getThrowable().orElse(null));
                test.getSource()
                        .filter(MethodSource.class::isInstance)
                        .ifPresent(source -> first(((MethodSource) source).getJavaClass()));
            }
        }

        boolean unanswered() {
            return cause.get() instanceof UncheckedIOException;
        }
    }
}
