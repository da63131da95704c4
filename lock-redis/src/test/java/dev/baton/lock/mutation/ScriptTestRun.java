package dev.baton.lock.mutation;

import dev.baton.lock.redis.ScriptServer;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the script tests in this JVM up to the first that fails. */
final class ScriptTestRun {

    /** How many of the tests that failed last are tried before all others: the next mutant is often in the same place. */
    private static final int KILLERS = 6;

    private final Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .build());
    /** The class with the test that failed last comes first. */
    private final List<Class<?>> classes;
    /** The unique ids of the tests that failed last, the latest first. */
    private final Deque<String> killers = new ArrayDeque<>();

    ScriptTestRun(List<Class<?>> classes) {
        this.classes = new ArrayList<>(classes);
    }

    /**
     * What a run found.
     *
     * @param passed how many tests passed
     * @param failed the one that failed, and how
     */
    record Outcome(int passed, Optional<String> failed) {}

    Outcome run() {
        Set<String> passed = Set.of();
        if (!killers.isEmpty()) {
            Outcome early =
                    run(killers.stream().map(DiscoverySelectors::selectUniqueId).toList(), passed);
            if (early.failed().isPresent()) {
                return early;
            }
            passed = Set.copyOf(killers);
        }
        return run(classes.stream().map(DiscoverySelectors::selectClass).toList(), passed);
    }

    private Outcome run(List<? extends DiscoverySelector> selectors, Set<String> excluded) {
        PostDiscoveryFilter others = test ->
                FilterResult.includedIf(!excluded.contains(test.getUniqueId().toString()));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .filters(EngineFilter.includeEngines("junit-jupiter"), others)
                .selectors(selectors)
                .build();
        FirstFailure listener = new FirstFailure();
        launcher.execute(LauncherExecutionRequestBuilder.request(request)
                .listeners(listener)
                .cancellationToken(listener.cancellation)
                .build());
        if (listener.unanswered()) {
            // a script that loops for ever, or has taken the server with it
            ScriptServer.restart();
        }
        return new Outcome(listener.passed.get(), Optional.ofNullable(listener.failed.get()));
    }

    private void killedBy(TestIdentifier test) {
        test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaClass())
                .filter(classes::remove)
                .ifPresent(tests -> classes.add(0, tests));
        if (test.isTest()) {
            killers.remove(test.getUniqueId());
            killers.addFirst(test.getUniqueId());
        }
        if (killers.size() > KILLERS) {
            killers.removeLast();
        }
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(source -> source.getJavaClass().getSimpleName() + '.' + source.getMethodName())
                .orElseGet(test::getLegacyReportingName);
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
                Throwable thrown = result.getThrowable().orElse(null);
                failed.compareAndSet(null, name(test) + ": " + thrown);
                cause.compareAndSet(null, thrown);
                killedBy(test);
            }
        }

        boolean unanswered() {
            return cause.get() instanceof UncheckedIOException;
        }
    }
}
