package dev.baton.sample.simulate;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One of the contending processes: says {@link #READY}, waits for {@link #GO} with the time to start and to end, has its
 * threads ask for the server again and again, writes down when they had it and says {@link #DONE}. Ends with the process
 * that started it.
 */
public final class Worker {

    /** {@code --worker=NUMBER}, from 0. */
    public static final String OPTION = "worker";

    static final String DIRECTORY_OPTION = "worker.directory";
    static final String READY = "READY";
    static final String GO = "GO";
    static final String DONE = "DONE";

    private static final int WARM_UP_TURNS = 50;

    private final SimulationOptions options;
    private final int number;
    private final Path directory;
    private final SharedMemory memory;
    private final Access access;

    private Worker(ApplicationArguments arguments, Access access) throws IOException {
        this.options = SimulationOptions.of(arguments);
        this.number = Integer.parseInt(value(arguments, OPTION));
        this.directory = Path.of(value(arguments, DIRECTORY_OPTION));
        this.memory = SharedMemory.open(SimulationRun.memoryFile(directory), options.processes() * options.threads());
        this.access = access;
    }

    /** Ends with an exit code other than 0 if anything went wrong. */
    public static void main(String... args) {
        try {
            ApplicationArguments arguments = new DefaultApplicationArguments(args);
            if (SimulationOptions.of(arguments).locked()) {
                runWithLocks(arguments);
            } else {
                new Worker(arguments, (request, work) -> work.run()).run();
            }
        } catch (Exception ex) {
            LoggerFactory.getLogger(Worker.class).error("this process of the simulation failed", ex);
            System.exit(1);
        }
    }

    private static void runWithLocks(ApplicationArguments arguments) throws Exception {
        try (ConfigurableApplicationContext context =
                SimulationContext.start(SimulationContext.WithLocks.class, arguments.getSourceArgs())) {
            LockOperations locks = context.getBean(LockOperations.class);
            new Worker(arguments, (request, work) -> locks.executeWithoutResult(request, lease -> work.run())).run();
        }
    }

    private static String value(ApplicationArguments arguments, String name) {
        List<String> values = arguments.getOptionValues(name);
        if (values == null || values.isEmpty()) {
            throw new IllegalArgumentException("--" + name + " is missing; --simulate starts the workers");
        }
        return values.get(0);
    }

    private void run() throws Exception {
        inAllThreads(thread -> warmUp());
        System.out.println(READY);
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String[] go = String.valueOf(parent.readLine()).split(" ", -1);
        if (!go[0].equals(GO)) {
            throw new IllegalStateException("the process that started this one has ended");
        }
        endWith(parent);
        long start = Long.parseLong(go[1]);
        long end = Long.parseLong(go[2]);
        Turn.write(inAllThreads(thread -> contend(thread, start, end)), SimulationRun.turnsFile(directory, number));
        System.out.println(DONE);
    }

    /** So that connections, scripts and compiled code are there when it begins; on a lock of this process alone. */
    private List<Turn> warmUp() {
        LockRequest request = LockRequest.of("warm_up", number).waitTime(SimulationRun.START_TIME);
        for (int i = 0; i < WARM_UP_TURNS; i++) {
            access.to(request, () -> {});
        }
        return List.of();
    }

    private List<Turn> contend(int thread, long start, long end) {
        LockRequest request = LockRequest.of("server_access", "simulated").waitTime(options.waitTime());
        List<Turn> turns = new ArrayList<>();
        sleepUntil(start);
        for (long asked = System.nanoTime(); asked - end < 0; asked = System.nanoTime()) {
            long since = asked;
            access.to(request, () -> turns.add(actOnServer(since)));
            memory.countTurn(number * options.threads() + thread);
        }
        return turns;
    }

    /** Nothing in here is safe if two do it at the same time. */
    private Turn actOnServer(long asked) {
        long started = System.nanoTime();
        long counter = memory.counter();
        sleepUntil(started + options.hold().toNanos());
        memory.counter(counter + 1);
        return new Turn(number, asked, started, System.nanoTime());
    }

    private static void sleepUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private List<Turn> inAllThreads(TurnsOfThread work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(options.threads());
        try {
            List<Callable<List<Turn>>> tasks = new ArrayList<>();
            for (int i = 0; i < options.threads(); i++) {
                int thread = i;
                tasks.add(() -> work.of(thread));
            }
            List<Turn> turns = new ArrayList<>();
            for (Future<List<Turn>> future : executor.invokeAll(tasks)) {
                turns.addAll(future.get());
            }
            return turns;
        } finally {
            executor.shutdownNow();
        }
    }

    /** The other end of the pipe is closed when the process that started this one ends, however that comes about. */
    private static void endWith(BufferedReader parent) {
        Thread watch = new Thread(() -> {
            try {
                while (parent.readLine() != null) {}
            } catch (IOException ex) {
                System.out.println("the connection to the process that started this one was lost: " + ex);
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }

    /** With the lock, or without. */
    private interface Access {
        void to(LockRequest request, Runnable work);
    }

    private interface TurnsOfThread {
        List<Turn> of(int thread);
    }
}
