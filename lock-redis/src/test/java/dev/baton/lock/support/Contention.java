package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Several threads of each process want one lock all the time, and count what nothing else protects. */
final class Contention {

    private static final int THREADS_EACH = 4;

    private Contention() {}

    /** Each thread takes the lock so many times; returns how many times it was taken. */
    static long run(ExecutorService threads, List<LockTemplate> processes, LockRequest request, int times)
            throws Exception {
        AtomicInteger unprotected = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        List<Future<?>> work = new ArrayList<>();
        for (LockTemplate process : processes) {
            for (int t = 0; t < THREADS_EACH; t++) {
                work.add(threads.submit(() -> {
                    go.await();
                    for (int i = 0; i < times; i++) {
                        process.execute(request, lease -> {
                            int seen = unprotected.get();
                            Thread.yield();
                            unprotected.set(seen + 1);
                            return seen;
                        });
                    }
                    return null;
                }));
            }
        }
        go.countDown();
        for (Future<?> one : work) {
            one.get(120, TimeUnit.SECONDS);
        }
        int all = processes.size() * THREADS_EACH * times;
        assertThat(unprotected).as("never two at a time").hasValue(all);
        return all;
    }
}
