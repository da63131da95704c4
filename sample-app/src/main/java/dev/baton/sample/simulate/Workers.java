package dev.baton.sample.simulate;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** All processes of a simulation; none outlives {@link #close()}. */
final class Workers implements AutoCloseable {

    private final List<WorkerProcess> processes = new ArrayList<>();
    private final CompletableFuture<Void> death = new CompletableFuture<>();

    static Workers start(int count, WorkerCommand command, Path directory, PrintStream out) throws IOException {
        Workers workers = new Workers();
        try {
            for (int i = 0; i < count; i++) {
                workers.processes.add(
                        WorkerProcess.start("process " + (i + 1), command.of(i, directory), workers.death, out));
            }
            return workers;
        } catch (IOException ex) {
            workers.close();
            throw ex;
        }
    }

    /** Completed when all are ready; exceptionally as soon as one dies. */
    CompletableFuture<?> ready() {
        return all(WorkerProcess::ready);
    }

    /** Completed when all are done; exceptionally as soon as one dies. */
    CompletableFuture<?> done() {
        return all(WorkerProcess::done);
    }

    /** Has all contend between the same two points in time of {@link System#nanoTime()}. */
    void go(long start, long end) throws IOException {
        for (WorkerProcess process : processes) {
            process.go(start, end);
        }
    }

    private CompletableFuture<?> all(Function<WorkerProcess, CompletableFuture<Void>> state) {
        CompletableFuture<?>[] states = processes.stream().map(state).toArray(CompletableFuture[]::new);
        return CompletableFuture.anyOf(CompletableFuture.allOf(states), death);
    }

    @Override
    public void close() {
        processes.forEach(WorkerProcess::close);
    }
}
