package dev.baton.lock.benchmarks.comparison.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that do the same, each with its number. For one thread at a time. */
final class Crew {

    /** What each does. */
    @FunctionalInterface
    interface Work {
        long run(int number) throws InterruptedException;
    }

    private final List<FutureTask<Long>> tasks = new ArrayList<>();

    private Crew() {}

    static Crew start(int threads, Work work) {
        Crew crew = new Crew();
        for (int i = 0; i < threads; i++) {
            int number = i;
            FutureTask<Long> task = new FutureTask<>(() -> work.run(number));
            crew.tasks.add(task);
            Thread thread = new Thread(task, "crew-" + number);
            thread.setDaemon(true);
            thread.start();
        }
        return crew;
    }

    /** What each has answered, at the latest after two minutes. */
    long[] await() {
        long[] answers = new long[tasks.size()];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = await(tasks.get(i));
        }
        return answers;
    }

    private static long await(FutureTask<Long> task) {
        try {
            return task.get(2, TimeUnit.MINUTES);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while others work", ex);
        } catch (ExecutionException | TimeoutException ex) {
            throw new IllegalStateException("A thread did not do its work", ex);
        }
    }
}
