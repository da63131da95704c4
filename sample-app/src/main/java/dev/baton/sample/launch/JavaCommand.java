package dev.baton.sample.launch;

import dev.baton.sample.SampleApplication;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a further process of the sample: this Java, this class path, the settings of this process. */
public final class JavaCommand {

    private JavaCommand() {}

    /**
     * Starts {@link SampleApplication} with what was set for this process with {@code -D}.
     *
     * @param options of the Java virtual machine
     * @param args of the program
     */
    public static List<String> of(List<String> options, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(settings());
        command.addAll(program(System.getProperty("java.class.path")));
        command.addAll(args);
        return command;
    }

    /** Returns the properties set with {@code -D}; the environment and the working directory are handed down anyway. */
    private static List<String> settings() {
        return System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("spring.") || name.startsWith("baton.") || name.startsWith("fleet."))
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
