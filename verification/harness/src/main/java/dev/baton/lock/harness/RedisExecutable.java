package dev.baton.lock.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** Locates the redis-server binary, and manages the scratch directory of this JVM's servers. */
final class RedisExecutable {

    static final String PROPERTY = "redis.server";

    private static volatile boolean scratchUsed;

    private RedisExecutable() {}

    /**
     * Returns the binary that the system property names. If the property is empty, returns the binary of the test
     * library, which is extracted once per JVM.
     */
    static Path path() {
        String configured = System.getProperty(PROPERTY, "").trim();
        return configured.isEmpty() ? Embedded.BINARY : checked(Path.of(configured));
    }

    /** Returns a directory of this JVM and user only, which {@link #deleteScratch()} removes. */
    static Path scratch() {
        return Scratch.DIRECTORY;
    }

    static void deleteScratch() throws IOException {
        if (!scratchUsed) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(Scratch.DIRECTORY)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }

    private static Path checked(Path binary) {
        if (!Files.isExecutable(binary)) {
            throw new IllegalStateException("System property " + PROPERTY + " names '" + binary
                    + "', which is not an executable file; name a redis-server binary, or leave it empty for"
                    + " the embedded one");
        }
        return binary.toAbsolutePath();
    }

    private static final class Scratch {

        static final Path DIRECTORY = create();

        // a fresh directory, not a well-known name: no other user can have put a binary there
        private static Path create() {
            try {
                Path directory = Files.createTempDirectory("baton-redis-");
                scratchUsed = true;
                return directory;
            } catch (IOException ex) {
                throw new UncheckedIOException("No temporary directory for the redis-server of the tests", ex);
            }
        }
    }

    private static final class Embedded {

        static final Path BINARY = extract();

        private static Path extract() {
            File directory = Scratch.DIRECTORY.toFile();
            try {
                return ExecutableProvider.newJarResourceProvider(directory)
                        .get()
                        .toPath();
            } catch (IOException ex) {
                throw new UncheckedIOException(
                        "No embedded redis-server for this platform; name one by -D" + PROPERTY, ex);
            }
        }
    }
}
