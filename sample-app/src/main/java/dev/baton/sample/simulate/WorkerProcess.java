package dev.baton.sample.simulate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A {@link Worker}, seen from the process that started it. */
final class WorkerProcess implements AutoCloseable {

    private static final int END_SECONDS = 10;

    private final String name;
    private final Process process;
    private final PrintStream out;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final CompletableFuture<Void> death;

    private WorkerProcess(String name, Process process, CompletableFuture<Void> death, PrintStream out) {
        this.name = name;
        this.process = process;
        this.death = death;
        this.out = out;
    }

    /**
     * Starts it.
     *
     * @param death completed exceptionally if it ends before it is done
     * @param out where what it prints goes to
     */
    static WorkerProcess start(String name, List<String> command, CompletableFuture<Void> death, PrintStream out)
            throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        WorkerProcess worker = new WorkerProcess(name, process, death, out);
        Thread reader = new Thread(worker::follow, name);
        reader.setDaemon(true);
        reader.start();
        return worker;
    }

    /** Completed when the worker waits for {@link #go}; never if it dies before. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Completed when the worker has written down its turns; never if it dies before. */
    CompletableFuture<Void> done() {
        return done;
    }

    /** Has the worker contend between two points in time of {@link System#nanoTime()}. */
    void go(long start, long end) throws IOException {
        Writer writer = process.outputWriter(StandardCharsets.UTF_8);
        writer.write(Worker.GO + " " + start + " " + end + "\n");
        writer.flush();
    }

    private void follow() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                switch (line) {
                    case Worker.READY -> ready.complete(null);
                    case Worker.DONE -> done.complete(null);
                    default -> out.println("[" + name + "] " + line);
                }
            }
            died("exit code " + process.waitFor());
        } catch (IOException | InterruptedException ex) {
            died(ex.toString());
        }
    }

    private void died(String how) {
        if (!done.isDone()) {
            death.completeExceptionally(
                    new IllegalStateException(name + " (pid " + process.pid() + ") died before it was done: " + how));
        }
    }

    /** Ends the process if it has not ended by itself. */
    @Override
    public void close() {
        try {
            if (done.isDone() && process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
