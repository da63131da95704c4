package dev.baton.sample.simulate;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** One run of the processes, from their start until all have ended and what they wrote down is read. */
final class SimulationRun {

    /** So long a process may take until it is ready: all of them start at once, perhaps on few cores. */
    static final Duration START_TIME = Duration.ofMinutes(2);

    private static final Duration END_TIME = Duration.ofSeconds(30);
    private static final Duration RUN_UP = Duration.ofMillis(200);
    private static final long LOOK_MILLIS = 200;

    private final SimulationOptions options;
    private final RedisConnectionFactory redis;
    private final PrintStream out;
    private final Progress progress;

    /**
     * Nothing is started yet.
     *
     * @param out where what the processes print goes to
     */
    SimulationRun(SimulationOptions options, RedisConnectionFactory redis, PrintStream out, Progress progress) {
        this.options = options;
        this.redis = redis;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Waits for all of it, which is about the duration in the options and the time that the processes take to start.
     *
     * @throws ExecutionException if a process died; none is left
     * @throws TimeoutException if they were not ready or not done in time; none is left
     */
    SimulationResult run(WorkerCommand command)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Path directory = Files.createTempDirectory("baton-simulation");
        deleteAtTheEnd(directory);
        try {
            return run(command, directory);
        } finally {
            delete(directory);
        }
    }

    private SimulationResult run(WorkerCommand command, Path directory)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        SharedMemory memory = SharedMemory.open(memoryFile(directory), options.processes() * options.threads());
        CommandCounts commands;
        long start;
        try (Workers workers = Workers.start(options.processes(), command, directory, out)) {
            awaitStart(workers.ready());
            CommandCounts before = CommandCounts.read(redis);
            start = System.nanoTime() + RUN_UP.toNanos();
            workers.go(start, start + options.duration().toNanos());
            progressUntil(workers.done(), memory);
            commands = CommandCounts.read(redis).since(before);
        }
        List<Turn> turns = turns(directory);
        return new SimulationResult(
                options,
                Findings.of(turns, options.processes(), memory.counter()),
                commands,
                Timeline.of(turns, options.processes(), start, options.duration()));
    }

    /** An asker may still wait for its last turn when the time is over. */
    private void progressUntil(CompletableFuture<?> done, SharedMemory memory)
            throws InterruptedException, ExecutionException, TimeoutException {
        Duration total = RUN_UP.plus(options.duration());
        Duration most = options.duration().plus(options.waitTime()).plus(END_TIME);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < most.toNanos()) {
            try {
                done.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                progress.done(memory.turns());
                return;
            } catch (TimeoutException ex) {
                progress.running(Duration.ofNanos(System.nanoTime() - begin), total, memory.turns());
            }
        }
        throw new TimeoutException("not all processes were done within " + most.toSeconds() + " s");
    }

    private static void awaitStart(CompletableFuture<?> ready)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            ready.get(START_TIME.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            throw new TimeoutException("not all processes were ready within " + START_TIME.toSeconds() + " s");
        }
    }

    private List<Turn> turns(Path directory) throws IOException {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < options.processes(); i++) {
            turns.addAll(Turn.read(turnsFile(directory, i)));
        }
        return turns;
    }

    /** If this process is ended from outside; in the reverse order, so the directory is empty when its turn comes. */
    private void deleteAtTheEnd(Path directory) {
        directory.toFile().deleteOnExit();
        memoryFile(directory).toFile().deleteOnExit();
        for (int i = 0; i < options.processes(); i++) {
            turnsFile(directory, i).toFile().deleteOnExit();
        }
    }

    private void delete(Path directory) throws IOException {
        for (int i = 0; i < options.processes(); i++) {
            Files.deleteIfExists(turnsFile(directory, i));
        }
        Files.deleteIfExists(memoryFile(directory));
        Files.deleteIfExists(directory);
    }

    static Path memoryFile(Path directory) {
        return directory.resolve("memory");
    }

    static Path turnsFile(Path directory, int worker) {
        return directory.resolve("turns-" + worker);
    }
}
