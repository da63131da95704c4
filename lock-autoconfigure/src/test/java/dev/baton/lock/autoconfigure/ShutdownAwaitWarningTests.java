package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Tests the warning for a shutdown that Spring ends before Baton does. */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownAwaitWarningTests {

    private final ApplicationContextRunner runner = Contexts.withoutRedis();

    @Test
    void awaitAboveTheDefaultOfSpringIsWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("baton.shutdown.await=45s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("baton.shutdown.await is 45s, but Spring ends each phase of the shutdown after 30s"
                        + " (spring.lifecycle.timeout-per-shutdown-phase), although locks may still be held. Set"
                        + " spring.lifecycle.timeout-per-shutdown-phase to at least 45s, or baton.shutdown.await to at most"
                        + " 30s.");
    }

    @Test
    void defaultAwaitAboveAShorterPhaseIsWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1500ms")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("baton.shutdown.await is 10s, but Spring ends each phase of the shutdown after 1500ms")
                .contains("or baton.shutdown.await to at most 1500ms.");
    }

    @Test
    void awaitUpToThePhaseIsNotWarnedOf(CapturedOutput output) {
        runner.run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("baton.shutdown.await=60s", "spring.lifecycle.timeout-per-shutdown-phase=1m")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("baton.shutdown.await=60s", "baton.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("Spring ends each phase");
    }
}
