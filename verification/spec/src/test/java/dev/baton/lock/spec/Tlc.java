package dev.baton.lock.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs TLC in a JVM of its own, and reads what it found. */
final class Tlc {

    /** After this time TLC is ended, and the run has failed. */
    static final Duration LIMIT = Duration.ofMinutes(15);

    private static final Path TARGET = Path.of("target", "tlc");

    private static final Pattern STATES = Pattern.compile("([\\d,]+) distinct states found");
    private static final Pattern VIOLATED = Pattern.compile("(?:Invariant|Temporal property) (\\w+) is violated");

    private Tlc() {}

    /**
     * What TLC found.
     *
     * @param outcome {@code ok}, the name of the violated property, or {@code failed}
     * @param states the number of distinct states
     * @param seconds the time of the run in seconds
     * @param log what TLC printed
     */
    record Result(String outcome, long states, long seconds, String log) {}

    static Result run(Run run) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(TARGET.resolve(run.name()));
        Files.copy(
                Run.MODELS.resolve(run.module() + ".tla"),
                directory.resolve(run.module() + ".tla"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.write(directory.resolve(run.module() + ".cfg"), run.configuration());
        Path log = directory.toAbsolutePath().resolve("log.txt");
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command(run))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended;
        try {
            ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            process.destroyForcibly().waitFor();
            delete(directory.resolve("states"));
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        String text = Files.readString(log);
        return new Result(
                ended ? outcome(run, text) : "failed: not finished after " + LIMIT, states(text), seconds, text);
    }

    private static List<String> command(Run run) {
        boolean mutant = !run.expected().startsWith("ok");
        // One worker finds the same counterexample each time.
        int workers = mutant ? 1 : Math.min(2, Runtime.getRuntime().availableProcessors());
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-Xmx2g",
                "-cp",
                jar().toString(),
                "tlc2.TLC",
                "-workers",
                Integer.toString(workers),
                "-metadir",
                "states",
                run.module());
    }

    private static Path jar() {
        try {
            return Path.of(Class.forName("tlc2.TLC")
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException("no TLC on the class path of the tests", e);
        }
    }

    private static String outcome(Run run, String log) {
        if (log.contains("Model checking completed. No error has been found.")) {
            return "ok";
        }
        Matcher violated = VIOLATED.matcher(log);
        if (violated.find()) {
            return violated.group(1);
        }
        // TLC does not say which of several temporal properties is violated.
        if (log.contains("Temporal properties were violated.")
                && run.properties().size() == 1) {
            return run.properties().get(0);
        }
        return "failed";
    }

    private static long states(String log) {
        Matcher states = STATES.matcher(log);
        long found = 0;
        while (states.find()) {
            found = Long.parseLong(states.group(1).replace(",", ""));
        }
        assertThat(found).as("distinct states in the log:%n%s", log).isPositive();
        return found;
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> {
                    try {
                        Files.delete(file);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            }
        }
    }
}
