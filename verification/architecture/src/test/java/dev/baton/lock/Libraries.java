package dev.baton.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Locates the compiled classes of the libraries. */
final class Libraries {

    /** The modules without a dependency on Spring Boot. */
    static final List<Path> LOCKS = Stream.of("lock-core", "lock-redis", "lock-spring")
            .map(module -> Path.of("..", "..", module, "target", "classes"))
            .toList();

    private Libraries() {}

    static List<Path> classFiles() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : LOCKS) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".class")).forEach(found::add);
            }
        }
        return found;
    }
}
