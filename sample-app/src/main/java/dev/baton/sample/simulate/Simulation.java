package dev.baton.sample.simulate;

import dev.baton.sample.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Starts processes that contend for one server, and finds out from what they saw, not from the lock, whether it was in one
 * hand at a time.
 */
public final class Simulation {

    /** So long a process may take until it is ready: all of them start at once, perhaps on few cores. */
    static final Duration START_TIME = Duration.ofMinutes(2);

    private static final Duration END_TIME = Duration.ofSeconds(30);
    private static final Duration RUN_UP = Duration.ofMillis(200);

    private final SimulationOptions options;
    private final PrintStream out;
    private final RedisConnectionFactory redis;
    private final Path directory;
    private final SharedMemory memory;

    private Simulation(SimulationOptions options, PrintStream out, RedisConnectionFactory redis) throws IOException {
        this.options = options;
        this.out = out;
        this.redis = redis;
        this.directory = Files.createTempDirectory("baton-simulation");
        deleteAtTheEnd();
        this.memory = SharedMemory.open(memoryFile(directory), options.processes() * options.threads());
    }

    /** Also if this process is ended from outside; in the reverse order, so the directory is empty when its turn comes. */
    private void deleteAtTheEnd() {
        directory.toFile().deleteOnExit();
        memoryFile(directory).toFile().deleteOnExit();
        for (int i = 0; i < options.processes(); i++) {
            turnsFile(directory, i).toFile().deleteOnExit();
        }
    }

    /** Returns the exit code: 0 if all verdicts hold, 1 if one does not or the simulation failed. */
    public static int run(PrintStream out, String... args) {
        try {
            SimulationOptions options = SimulationOptions.of(new DefaultApplicationArguments(args));
            try (ConfigurableApplicationContext context =
                    SimulationContext.start(SimulationContext.WithRedis.class, args)) {
                EmbeddedRedis embedded =
                        context.getBeanProvider(EmbeddedRedis.class).getIfAvailable();
                return new Simulation(options, out, context.getBean(RedisConnectionFactory.class))
                        .run(new WorkerCommand(List.of(args), embedded));
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            out.println("FAIL  interrupted");
        } catch (ExecutionException ex) {
            out.println("FAIL  " + Objects.requireNonNull(ex.getCause()).getMessage());
        } catch (IllegalArgumentException | IOException | TimeoutException ex) {
            out.println("FAIL  " + ex.getMessage());
        }
        return 1;
    }

    private int run(WorkerCommand command)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        out.printf(
                "Starting %d processes x %d threads: they contend for one server %s, for %d s, each holding it for %d"
                        + " ms%n",
                options.processes(),
                options.threads(),
                options.locked() ? "with the lock" : "WITHOUT a lock",
                options.duration().toSeconds(),
                options.hold().toMillis());
        CommandCounts commands;
        try (Workers workers = Workers.start(options.processes(), command, directory, out)) {
            awaitStart(workers.ready());
            CommandCounts before = CommandCounts.read(redis);
            long start = System.nanoTime() + RUN_UP.toNanos();
            workers.go(start, start + options.duration().toNanos());
            progressUntil(workers.done());
            commands = CommandCounts.read(redis).since(before);
        }
        Findings findings = Findings.of(turns(), options.processes(), memory.counter());
        new ResultTable(out).print(findings, commands, options.duration());
        return findings.verdicts().stream().allMatch(Findings.Verdict::holds) ? 0 : 1;
    }

    /** One line a second; an asker may still wait for its last turn when the time is over. */
    private void progressUntil(CompletableFuture<?> done)
            throws InterruptedException, ExecutionException, TimeoutException {
        long most = options.duration().plus(options.waitTime()).plus(END_TIME).toSeconds();
        for (int second = 1; second <= most; second++) {
            try {
                done.get(1, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException ex) {
                out.printf("%4d s %8d acquisitions%n", second, memory.turns());
            }
        }
        throw new TimeoutException("not all processes were done within " + most + " s");
    }

    private static void awaitStart(CompletableFuture<?> ready)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            ready.get(START_TIME.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            throw new TimeoutException("not all processes were ready within " + START_TIME.toSeconds() + " s");
        }
    }

    private List<Turn> turns() throws IOException {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < options.processes(); i++) {
            turns.addAll(Turn.read(turnsFile(directory, i)));
        }
        return turns;
    }

    static Path memoryFile(Path directory) {
        return directory.resolve("memory");
    }

    static Path turnsFile(Path directory, int worker) {
        return directory.resolve("turns-" + worker);
    }
}
