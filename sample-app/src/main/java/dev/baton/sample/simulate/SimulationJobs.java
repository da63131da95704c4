package dev.baton.sample.simulate;

import dev.baton.lock.LockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.sample.embedded.EmbeddedRedis;
import dev.baton.sample.members.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * Runs one simulation at a time over all instances: it holds a lock as long as it runs. Keeps the last one of this instance.
 *
 * <p>Where the sample has started its Redis itself, a simulation gets another one, so that its figures are its own.
 */
@Component
class SimulationJobs {

    private static final Logger log = LoggerFactory.getLogger(SimulationJobs.class);

    private static final int END_SECONDS = 10;

    private final LockOperations locks;
    private final RedisConnectionFactory configured;
    private final ApplicationArguments arguments;
    private final boolean embedded;
    private final AtomicInteger ids = new AtomicInteger();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "simulation"));
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile @Nullable SimulationJob last;

    SimulationJobs(
            LockOperations locks,
            RedisConnectionFactory configured,
            ApplicationArguments arguments,
            ObjectProvider<EmbeddedRedis> embedded) {
        this.locks = locks;
        this.configured = configured;
        this.arguments = arguments;
        this.embedded = embedded.getIfAvailable() != null || arguments.containsOption(Member.EMBEDDED_REDIS);
    }

    Optional<SimulationJob> last() {
        return Optional.ofNullable(last);
    }

    /**
     * Starts one, unless one is running in this or another instance.
     *
     * @param options as on the command line, {@code --processes=4} and so on
     * @return the running simulation, or empty if this one has been started
     * @throws LockException if it is not known whether one is running
     */
    Optional<Running> start(SimulationOptions options, List<String> args) {
        CompletableFuture<Optional<Running>> admitted = new CompletableFuture<>();
        if (!busy.compareAndSet(false, true)) {
            return Optional.of(new Running(null));
        }
        executor.execute(() -> {
            try {
                run(options, args, admitted);
            } finally {
                busy.set(false);
                last().ifPresent(SimulationJob::over);
            }
        });
        try {
            return admitted.join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof LockException cause) {
                throw cause;
            }
            throw ex;
        }
    }

    private void run(SimulationOptions options, List<String> args, CompletableFuture<Optional<Running>> admitted) {
        try {
            LockResult<SimulationJob> result = locks.tryExecute(LockRequest.of("simulation"), lease -> {
                SimulationJob job = new SimulationJob(ids.incrementAndGet());
                last = job;
                admitted.complete(Optional.empty());
                run(job, options, args);
                return job;
            });
            if (result instanceof LockResult.Busy<?> busy) {
                admitted.complete(Optional.of(new Running(busy.holder())));
            }
        } catch (LockException ex) {
            if (!admitted.completeExceptionally(ex)) {
                log.warn("the lock of the simulation was lost; another simulation may have run at the same time", ex);
            }
        }
    }

    private void run(SimulationJob job, SimulationOptions options, List<String> args) {
        try {
            job.ended(embedded ? withOwnRedis(job, options, args) : withConfiguredRedis(job, options, args));
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            job.failed("interrupted: the application is stopping");
        } catch (ExecutionException ex) {
            job.failed(
                    String.valueOf(Objects.requireNonNullElse(ex.getCause(), ex).getMessage()));
        } catch (IOException | TimeoutException | RuntimeException ex) {
            log.warn("the simulation failed", ex);
            job.failed(String.valueOf(ex.getMessage()));
        }
    }

    private static SimulationResult withOwnRedis(SimulationJob job, SimulationOptions options, List<String> args)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
            factory.afterPropertiesSet();
            factory.start();
            try {
                return new SimulationRun(options, factory, System.out, job).run(new WorkerCommand(args, redis));
            } finally {
                factory.destroy();
            }
        }
    }

    /** The workers are to find it as this process did: from the environment, the files, and the arguments. */
    private SimulationResult withConfiguredRedis(SimulationJob job, SimulationOptions options, List<String> args)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        List<String> all = new ArrayList<>(args);
        Arrays.stream(arguments.getSourceArgs())
                .filter(arg -> arg.startsWith("--spring.") || arg.startsWith("--baton."))
                .forEach(all::add);
        return new SimulationRun(options, configured, System.out, job).run(new WorkerCommand(all, null));
    }

    /** Before the locks stop: they would wait for the one that the simulation holds. */
    @EventListener(ContextClosedEvent.class)
    void stop() throws InterruptedException {
        executor.shutdownNow();
        if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
            log.warn("the simulation has not ended within {} s; its processes end with this one", END_SECONDS);
        }
    }

    /**
     * One is running already.
     *
     * @param holder the instance that runs it, or {@code null} if it is this instance
     */
    record Running(@Nullable LockHolder holder) {}
}
