package dev.baton.sample.simulate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.ApplicationArguments;

/**
 * Where the picture of a run is written.
 *
 * @param path ends with .svg (the picture alone) or .html (with the figures)
 */
record TimelineFile(Path path) {

    /** {@code --timeline=FILE}. */
    static final String OPTION = "timeline";

    private static final String DEFAULT = "simulation-timeline.html";

    /**
     * As the options say; without one, in the folder {@code target} if there is one here, else in that for temporary files.
     *
     * @throws IllegalArgumentException if the file is neither .svg nor .html, or cannot be written
     */
    static TimelineFile of(ApplicationArguments arguments) {
        if (!arguments.containsOption(OPTION)) {
            Path target = Path.of("target");
            return new TimelineFile((Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir")))
                    .resolve(DEFAULT));
        }
        String value = String.join(",", arguments.getOptionValues(OPTION));
        if (!value.matches(".*[^/\\\\]\\.(svg|html)")) {
            throw refused(value, "is neither an .svg nor an .html file");
        }
        Path path = Path.of(value).toAbsolutePath();
        if (path.getParent() == null || !Files.isDirectory(path.getParent())) {
            throw refused(value, "is in a folder that does not exist");
        }
        return new TimelineFile(path);
    }

    private static IllegalArgumentException refused(String value, String why) {
        return new IllegalArgumentException(
                "--timeline=" + value + " " + why + "; write --timeline=/tmp/simulation-timeline.html");
    }

    /** Writes over what is there, and returns where it is. */
    Path write(SimulationResult result) throws IOException {
        String svg = TimelineSvg.of(result);
        String text = path.toString().endsWith(".svg") ? svg : TimelinePage.of(result, svg);
        return Files.writeString(path, text, StandardCharsets.UTF_8).toAbsolutePath();
    }
}
