package dev.baton.lock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class JavaProcessTests {

    private static final Duration BOUND = Duration.ofSeconds(20);

    @Test
    void runsTheMainClassOnTheTestClassPath() {
        try (JavaProcess process = JavaProcess.start(List.of("-Dgreeting=hello"), Echo.class, "one", "two words", "")) {
            assertThat(process.awaitLine("", BOUND)).isEqualTo("[one, two words, ] hello");
            assertThat(process.awaitLine("assertj", BOUND)).isEqualTo("assertj " + Assertions.class.getName());
            process.println("end");
            assertThat(process.awaitExit(BOUND)).isEqualTo(3);
        }
    }

    @Test
    void skipsLinesUntilTheAwaitedOne() {
        try (JavaProcess process = JavaProcess.start(Echo.class)) {
            process.println("a 1");
            process.println("b 1");
            process.println("a 2");
            assertThat(process.awaitLine("a ", BOUND)).isEqualTo("a 1");
            assertThat(process.awaitLine("a ", BOUND)).isEqualTo("a 2");
            assertThat(process.lines()).contains("a 1", "b 1", "a 2");
        }
    }

    @Test
    void missingLineFailsWithTheOutput() {
        try (JavaProcess process = JavaProcess.start(Echo.class)) {
            process.println("something else");
            process.awaitLine("something", BOUND);
            assertThatIllegalStateException()
                    .isThrownBy(() -> process.awaitLine("expected", Duration.ofMillis(50)))
                    .withMessageContaining("'expected...' within 50 ms")
                    .withMessageContaining("something else")
                    .withMessageContaining("to standard error");
        }
    }

    @Test
    void endedOutputFailsAtOnceAndAgain() {
        try (JavaProcess process = JavaProcess.start(Echo.class)) {
            process.println("end");
            for (int i = 0; i < 2; i++) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> process.awaitLine("expected", BOUND))
                        .withMessageContaining("output ended");
            }
        }
    }

    @Test
    void linesOfAKilledProcessAreKept() {
        try (JavaProcess process = JavaProcess.start(Echo.class)) {
            process.println("said before");
            process.awaitLine("said", BOUND);
            process.kill();
            assertThat(process.isAlive()).isFalse();
            assertThat(process.awaitExit(Duration.ZERO)).isEqualTo(128 + 9);
            assertThat(process.lines()).contains("said before");
        }
    }

    @Test
    void pausedProcessIsSilentUntilItIsResumed() {
        try (JavaProcess process = JavaProcess.start(Echo.class)) {
            process.awaitLine("assertj", BOUND);
            process.pause();
            process.println("hello");
            assertThatIllegalStateException().isThrownBy(() -> process.awaitLine("hello", Duration.ofMillis(200)));
            assertThatIllegalStateException().isThrownBy(() -> process.awaitExit(Duration.ofMillis(1)));
            assertThat(process.isAlive()).isTrue();
            process.resume();
            assertThat(process.awaitLine("hello", BOUND)).isEqualTo("hello");
        }
    }

    @Test
    void pausedProcessCanBeKilled() {
        try (JavaProcess process = JavaProcess.start(Echo.class)) {
            process.pause();
            process.kill();
            assertThat(ProcessHandle.of(process.pid())).isEmpty();
        }
    }

    /** Prints its arguments and a system property, then repeats its input until "end". */
    static final class Echo {

        public static void main(String[] args) throws IOException {
            System.err.println("to standard error");
            System.out.println(List.of(args) + " " + System.getProperty("greeting"));
            System.out.println("assertj " + Assertions.class.getName());
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("end")) {
                    System.exit(3);
                }
                System.out.println(line);
            }
        }
    }
}
