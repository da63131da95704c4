package dev.baton.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Tests the output of an application that does not start. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

    @Test
    void wrongAnnotationIsExplained(CapturedOutput output) {
        assertThatException().isThrownBy(() -> Application.start(WrongApplication.class));
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "WrongService", "close", "key", "'daily'")
                .contains("Action:");
    }

    @Test
    void wrongPropertyIsExplained(CapturedOutput output) {
        assertThatException().isThrownBy(() -> Application.start(CompatibilityApplication.class, "--baton.expire=10"));
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The configuration property 'baton.expire' has the value '10'")
                .contains("Change the value of 'baton.expire'.");
    }

    @Test
    void unknownPropertyIsExplained(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> Application.start(CompatibilityApplication.class, "--baton.cohort.limt=10"));
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "The configuration property 'baton.cohort.limt' (set in \"baton.cohort.limt\" from property source"
                                + " \"commandLineArgs\") does not exist. Did you mean 'baton.cohort.limit'?")
                .contains("Correct the name, or remove the property.");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WrongService.class)
    static class WrongApplication {}

    static class WrongService {

        @DistributedLock(key = "daily")
        public void close() {
            // not reached
        }
    }
}
