package dev.baton.sample.simulate;

import dev.baton.sample.SampleApplication;
import dev.baton.sample.embedded.EmbeddedRedis;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a {@link Worker}: this Java, this class path, the settings of this process, and its Redis.
 *
 * @param args what this process was called with
 * @param redis the Redis that this process has started; null if one is configured, which a worker finds as this one did
 */
record WorkerCommand(List<String> args, @Nullable EmbeddedRedis redis) {

    /** Workers are small and short-lived: no time for the second compiler, no memory for a collector with threads. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    /** Many threads on few cores: what is measured here is who acts when, not how quickly Redis answers. */
    private static final List<String> SETTINGS = List.of("-Dlogging.level.root=warn", "-Dbaton.command-timeout=20s");

    List<String> of(int number, Path directory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(SETTINGS);
        command.addAll(settings());
        command.addAll(program(System.getProperty("java.class.path")));
        command.addAll(args);
        if (redis != null) {
            command.add("--spring.data.redis.host=" + redis.host());
            command.add("--spring.data.redis.port=" + redis.port());
        }
        command.add("--" + Worker.OPTION + "=" + number);
        command.add("--" + Worker.DIRECTORY_OPTION + "=" + directory);
        return command;
    }

    /** What was set with {@code -D}; the environment and the working directory are handed down anyway. */
    private static List<String> settings() {
        return System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("spring.") || name.startsWith("baton."))
                .map(name -> "-D" + name + "=" + System.getProperty(name))
                .toList();
    }

    /** A single jar is the packaged application, whose classes only its own launcher finds. */
    private static List<String> program(String classPath) {
        return classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)
                ? List.of("-jar", classPath)
                : List.of("-cp", classPath, SampleApplication.class.getName());
    }
}
