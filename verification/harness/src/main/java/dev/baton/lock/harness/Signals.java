package dev.baton.lock.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Sends signals that {@link Process} cannot send. */
final class Signals {

    private static final Duration STOP_BOUND = Duration.ofSeconds(10);

    private Signals() {}

    /**
     * Sends SIGSTOP. On Linux, which exposes the states of threads, returns when every thread has stopped; the signal
     * alone does not wait.
     */
    static void stop(long pid) {
        send("STOP", pid);
        long start = System.nanoTime();
        while (!stopped(pid)) {
            if (System.nanoTime() - start > STOP_BOUND.toNanos()) {
                throw new IllegalStateException("Process " + pid + " has not stopped " + STOP_BOUND + " after SIGSTOP");
            }
            Thread.onSpinWait();
        }
    }

    /** Sends SIGCONT. */
    static void resume(long pid) {
        send("CONT", pid);
    }

    private static void send(String signal, long pid) {
        try {
            // use the kill built into every sh: the kill program is not installed everywhere
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = Interrupts.later(kill::waitFor);
            if (exit != 0) {
                throw new IllegalStateException("SIG" + signal + " could not be sent to " + pid + ": " + output);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException("SIG" + signal + " could not be sent to " + pid, ex);
        }
    }

    private static boolean stopped(long pid) {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(threads)) {
            return true;
        }
        try (Stream<Path> all = Files.list(threads)) {
            List<Path> listed = all.toList();
            for (Path thread : listed) {
                if (!stopped(Files.readString(thread.resolve("stat")))) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException threadEnded) {
            // look again
            return false;
        } catch (IOException ex) {
            throw new UncheckedIOException("The state of process " + pid + " cannot be read", ex);
        }
    }

    /** Reads the state letter behind the name. The name is in parentheses and may itself contain parentheses. */
    private static boolean stopped(String stat) {
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }
}
