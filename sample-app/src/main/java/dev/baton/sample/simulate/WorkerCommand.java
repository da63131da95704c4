package dev.baton.sample.simulate;

import dev.baton.sample.embedded.EmbeddedRedis;
import dev.baton.sample.launch.JavaCommand;
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

    /** Many threads on few cores: the simulation measures the order of the turns, not how quickly Redis answers. */
    private static final List<String> SETTINGS = List.of("-Dlogging.level.root=warn", "-Dbaton.command-timeout=20s");

    List<String> of(int number, Path directory) {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(SETTINGS);
        List<String> all = new ArrayList<>(args);
        if (redis != null) {
            all.add("--spring.data.redis.host=" + redis.host());
            all.add("--spring.data.redis.port=" + redis.port());
        }
        all.add("--" + Worker.OPTION + "=" + number);
        all.add("--" + Worker.DIRECTORY_OPTION + "=" + directory);
        return JavaCommand.of(options, all);
    }
}
