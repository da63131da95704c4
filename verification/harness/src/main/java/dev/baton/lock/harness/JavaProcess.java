package dev.baton.lock.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Another JVM that runs a main class of the test's own class path: a process to kill, to freeze and to read output
 * from. The process ends with {@link #close()}, at the latest with this JVM.
 *
 * <p>{@link #awaitLine} reads standard output line by line; standard error is kept for failure messages.
 * {@link #pause()} and {@link #resume()} need a POSIX system. May be used by any thread.
 */
public final class JavaProcess implements AutoCloseable {

    private final Process process;
    // the lines not yet returned by awaitLine; an empty element is the end of the output
    private final BlockingQueue<Optional<String>> unread = new LinkedBlockingQueue<>();
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final List<String> errors = Collections.synchronizedList(new ArrayList<>());

    private JavaProcess(Process process) {
        this.process = process;
    }

    /** Starts a JVM with this main class and these arguments. */
    public static JavaProcess start(Class<?> main, String... args) {
        return start(List.of(), main, args);
    }

    /**
     * Starts a JVM.
     *
     * @param jvmOptions the JVM options, for example {@code -Dkey=value}
     * @param main the class whose {@code main} runs
     * @param args the arguments of {@code main}
     */
    public static JavaProcess start(List<String> jvmOptions, Class<?> main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // a short-lived process: the second compiler would only cost time
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(jvmOptions);
        command.add(main.getName());
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        try {
            JavaProcess started = new JavaProcess(ChildProcesses.start(builder));
            started.readOutput();
            return started;
        } catch (IOException ex) {
            throw new UncheckedIOException("Could not start a JVM for " + main.getName(), ex);
        }
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process is alive; a paused process is alive. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns every line of standard output so far, awaited or not. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /**
     * Returns the next line of standard output that starts with this prefix, after the last returned line. Skips the
     * lines in between.
     *
     * @param prefix the prefix, or empty for the very next line
     * @param within the maximum time to wait
     * @throws IllegalStateException if there is no such line in time, or the output ends first; the message has the
     *     output
     */
    public String awaitLine(String prefix, Duration within) {
        long start = System.nanoTime();
        while (true) {
            long left = within.toNanos() - (System.nanoTime() - start);
            Optional<String> line =
                    next(Math.max(left, 0), "No line '" + prefix + "...' within " + within.toMillis() + " ms");
            if (line.isEmpty()) {
                // keep the end of the output for the next call
                unread.add(line);
                throw failure("The output ended without a line '" + prefix + "...'");
            }
            if (line.get().startsWith(prefix)) {
                return line.get();
            }
        }
    }

    /** Writes a line to the standard input of the process. */
    public void println(String line) {
        try {
            OutputStream stdin = process.getOutputStream();
            stdin.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            stdin.flush();
        } catch (IOException ex) {
            throw new UncheckedIOException("Process " + pid() + " does not read", ex);
        }
    }

    /** Freezes the process by SIGSTOP until {@link #resume()}. */
    public void pause() {
        Signals.stop(pid());
    }

    /** Lets the process continue after {@link #pause()}. */
    public void resume() {
        Signals.resume(pid());
    }

    /**
     * Ends the process by SIGKILL, like a crash, and returns when the process has ended. Does nothing if it has ended.
     */
    public void kill() {
        ChildProcesses.kill(process);
    }

    /**
     * Waits until the process ends on its own.
     *
     * @return the exit code
     * @throws IllegalStateException if the process does not end in time; the message has its output
     */
    public int awaitExit(Duration within) {
        if (!Interrupts.later(() -> process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS))) {
            throw failure("Process " + pid() + " has not ended within " + within.toMillis() + " ms");
        }
        return process.exitValue();
    }

    /** Kills the process. */
    @Override
    public void close() {
        kill();
    }

    private Optional<String> next(long nanos, String otherwise) {
        Optional<String> line = Interrupts.later(() -> unread.poll(nanos, TimeUnit.NANOSECONDS));
        if (line == null) {
            throw failure(otherwise);
        }
        return line;
    }

    private IllegalStateException failure(String what) {
        synchronized (errors) {
            return new IllegalStateException(what + "; standard output:\n" + String.join("\n", lines())
                    + "\nstandard error:\n" + String.join("\n", errors));
        }
    }

    private void readOutput() {
        daemon("stdout-" + pid(), () -> {
            read(process.getInputStream(), line -> {
                lines.add(line);
                unread.add(Optional.of(line));
            });
            unread.add(Optional.empty());
        });
        daemon("stderr-" + pid(), () -> read(process.getErrorStream(), errors::add));
    }

    private static void read(InputStream stream, Consumer<String> sink) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                sink.accept(line);
            }
        } catch (IOException ex) {
            sink.accept("(output broke off: " + ex + ")");
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
