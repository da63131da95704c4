package dev.baton.sample.simulate;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.ApplicationArguments;

/** How far a run is: one line that is written over and over, for people at a terminal, or a line a second, for files and pipes. */
final class TerminalProgress implements Progress {

    /** {@code --progress=bar} or {@code --progress=lines}; without it, a bar at a terminal and lines elsewhere. */
    static final String OPTION = "progress";

    private static final int WIDTH = 30;

    private final PrintStream out;
    private final boolean bar;
    private long secondsShown;

    TerminalProgress(PrintStream out, boolean bar) {
        this.out = out;
        this.bar = bar;
    }

    /**
     * As the options say.
     *
     * @throws IllegalArgumentException if they say neither bar nor lines
     */
    static TerminalProgress of(ApplicationArguments arguments, PrintStream out) {
        if (!arguments.containsOption(OPTION)) {
            return new TerminalProgress(out, out == System.out && isTerminal());
        }
        String value = String.join(",", arguments.getOptionValues(OPTION));
        return switch (value) {
            case "bar" -> new TerminalProgress(out, true);
            case "lines" -> new TerminalProgress(out, false);
            default ->
                throw new IllegalArgumentException("--progress=" + value
                        + " is neither bar nor lines; write --progress=bar, or omit the option for a bar at a"
                        + " terminal and lines elsewhere");
        };
    }

    /** From JDK 22 on there is a console also where there is no terminal, and a method that tells them apart. */
    @SuppressWarnings("SystemConsoleNull") // before 22 it is null where there is no terminal; from 22 on it is asked
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException ex) {
            return true;
        } catch (ReflectiveOperationException ex) {
            return false;
        }
    }

    @Override
    public void running(Duration elapsed, Duration total, long acquisitions) {
        if (bar) {
            draw(Math.min(99, 100 * elapsed.toNanos() / total.toNanos()), acquisitions);
        } else if (elapsed.toSeconds() > secondsShown) {
            secondsShown = elapsed.toSeconds();
            out.printf(Locale.ROOT, "%4d s %8d acquisitions%n", secondsShown, acquisitions);
        }
    }

    @Override
    public void done(long acquisitions) {
        if (bar) {
            draw(100, acquisitions);
            out.println();
        }
    }

    private void draw(long percent, long acquisitions) {
        int filled = (int) (percent * WIDTH / 100);
        out.printf(
                Locale.ROOT,
                "\r[%s%s] %3d %% %9d acquisitions",
                "#".repeat(filled),
                ".".repeat(WIDTH - filled),
                percent,
                acquisitions);
        out.flush();
    }
}
