package dev.baton.sample.simulate;

import dev.baton.sample.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Starts processes that contend for one server, and finds out from what they saw, not from the lock, whether it was in one
 * hand at a time.
 */
public final class Simulation {

    private static final Logger log = LoggerFactory.getLogger(Simulation.class);

    private static final int END_SECONDS = 10;

    private Simulation() {}

    /** Returns the exit code: 0 if all verdicts hold, 1 if one does not or the simulation failed. */
    public static int run(PrintStream out, String... args) {
        try {
            ApplicationArguments arguments = new DefaultApplicationArguments(args);
            SimulationOptions options = SimulationOptions.of(arguments);
            Progress progress = TerminalProgress.of(arguments, out);
            TimelineFile file = TimelineFile.of(arguments);
            announce(options, out);
            SimulationResult result = run(options, out, progress, args);
            new ResultTable(out).print(result.findings(), result.commands(), options.duration());
            out.println();
            out.println("Picture of the turns: " + file.write(result));
            return result.holds() ? 0 : 1;
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

    /** Runs on the Redis that the arguments name, or else on one of its own. */
    static SimulationResult run(SimulationOptions options, PrintStream out, Progress progress, String... args)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        try (ConfigurableApplicationContext context =
                SimulationContext.start(SimulationContext.WithRedis.class, args)) {
            EmbeddedRedis embedded =
                    context.getBeanProvider(EmbeddedRedis.class).getIfAvailable();
            CountDownLatch ended = new CountDownLatch(1);
            context.addApplicationListener(new EndOfRun(Thread.currentThread(), ended));
            try {
                return new SimulationRun(options, context.getBean(RedisConnectionFactory.class), out, progress)
                        .run(new WorkerCommand(List.of(args), embedded));
            } finally {
                ended.countDown();
            }
        }
    }

    /** Ends the processes if this one is told to end: before the context, whose Redis they use. */
    private record EndOfRun(Thread runner, CountDownLatch ended) implements ApplicationListener<ContextClosedEvent> {

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            if (ended.getCount() == 0) {
                return;
            }
            runner.interrupt();
            try {
                if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
                    log.warn("the simulation has not ended within {} s; its processes end with this one", END_SECONDS);
                }
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void announce(SimulationOptions options, PrintStream out) {
        out.printf(
                "Starting %d processes x %d threads: they contend for one server %s, for %d s, each holding it for %d"
                        + " ms%n",
                options.processes(),
                options.threads(),
                options.locked() ? "with the lock" : "WITHOUT a lock",
                options.duration().toSeconds(),
                options.hold().toMillis());
    }
}
