package dev.baton.lock.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Main class of a JVM that runs one test, {@code CLASS#METHOD}, and prints its outcome: {@code passed}, {@code failed} after a
 * failed assertion, or {@code broken} after anything else. Reports no counterexample that is shorter than the first.
 */
final class PropertyProcess implements TestExecutionListener {

    static final String OUTCOME = "outcome: ";

    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();

    private PropertyProcess() {}

    public static void main(String[] args) {
        PropertyProcess listener = new PropertyProcess();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectMethod(args[0]))
                                .configurationParameter("jqwik.shrinking.default", "OFF")
                                .build(),
                        listener);
        System.out.println(OUTCOME + listener.outcome());
        System.exit(0);
    }

    private String outcome() {
        Throwable cause = failed.get();
        if (cause == null) {
            return passed.get() > 0 ? "passed" : "broken: no test was run";
        }
        return (cause instanceof AssertionError ? "failed: " : "broken: ")
                + String.valueOf(cause).replace('\n', ' ');
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            failed.compareAndSet(null, result.getThrowable().orElseGet(() -> new IllegalStateException("no cause")));
        } else if (test.isTest()) {
            passed.incrementAndGet();
        }
    }
}
