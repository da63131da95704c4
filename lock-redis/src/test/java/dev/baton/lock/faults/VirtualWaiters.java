package dev.baton.lock.faults;

import dev.baton.lock.LockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Main class of another JVM, in which virtual threads wait for one held lock, and then acquire it one after the other.
 * Arguments: host, port, threads. Prints {@code carriers N}, {@code waiting N} when all threads have started, and
 * {@code turns N}, where only the lock guards the count.
 */
final class VirtualWaiters {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private int turns;

    private VirtualWaiters() {}

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[2]);
        try (Engine engine = Engine.start(args[0], Integer.parseInt(args[1]), builder -> {})) {
            new VirtualWaiters().run(engine, threads);
        }
    }

    private void run(Engine engine, int threads) throws Exception {
        System.out.println("carriers " + System.getProperty("jdk.virtualThreadScheduler.maxPoolSize"));
        LockRequest request = LockRequest.of("x").waitTime(BOUND);
        ExecutorService executor = virtualThreads();
        CountDownLatch asking = new CountDownLatch(threads);
        List<Future<?>> turn = new ArrayList<>(threads);
        engine.locks().execute(LockRequest.of("x"), lease -> {
            for (int i = 0; i < threads; i++) {
                turn.add(executor.submit(() -> {
                    asking.countDown();
                    engine.locks().executeWithoutResult(request, held -> takeTurn());
                }));
            }
            asking.await();
            System.out.println("waiting " + threads);
            return lease;
        });
        for (Future<?> one : turn) {
            one.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        }
        System.out.println("turns " + turns);
    }

    /** Yields between read and write, so that without the lock another thread would interfere. */
    private void takeTurn() {
        int seen = turns;
        Thread.yield();
        turns = seen + 1;
    }

    /** Looks the method up by its name, because this class is compiled for Java 17. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
