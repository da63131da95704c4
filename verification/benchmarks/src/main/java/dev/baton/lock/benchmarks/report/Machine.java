package dev.baton.lock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where something was measured, as far as a reader of the figures has to know. */
public final class Machine {

    private Machine() {}

    /** For instance {@code 2 cores, JDK 17}. */
    public static String describe() {
        return Runtime.getRuntime().availableProcessors() + " cores, JDK "
                + Runtime.version().feature();
    }

    /** For instance {@code 2 cores of AMD EPYC, Linux amd64, JDK 17.0.2}. */
    public static String details() {
        return Runtime.getRuntime().availableProcessors() + " cores" + processor() + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                + Runtime.version().toString();
    }

    // Linux tells; elsewhere the kind of machine has to do
    private static String processor() {
        Path told = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(told)) {
            return "";
        }
        try (Stream<String> lines = Files.lines(told)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> " of " + line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException ex) {
            return "";
        }
    }
}
