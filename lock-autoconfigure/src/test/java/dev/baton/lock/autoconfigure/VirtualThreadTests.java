package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

/**
 * Tests an application with {@code spring.threads.virtual.enabled}, in which every request runs in a virtual thread.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(60)
class VirtualThreadTests {

    private static final int THREADS = 200;

    private final TestRedis redis = TestRedis.start();

    @AfterEach
    void end() {
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void contendedLocksDoNotPinVirtualThreads(String client) {
        ApplicationContextRunner runner = Contexts.with(redis)
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withBean(Counter.class)
                .withPropertyValues(
                        "spring.threads.virtual.enabled=true",
                        "spring.data.redis.client-type=" + client,
                        "baton.recheck=20s",
                        "baton.wait-time=40s");
        runner.run(one -> runner.run(other -> {
            for (ApplicationContext context : List.of(one, other)) {
                // the warm-up loads classes and sends scripts, which may pin a thread
                contend(List.of(context), 8, new int[1]);
            }
            contend(List.of(one, other), 8, new int[1]);
            int[] turns = new int[1];
            try (PinnedThreads pinned = new PinnedThreads()) {
                contend(List.of(one, other), THREADS, turns);
                assertThat(pinned.places()).isEmpty();
            }
            assertThat(turns[0]).isEqualTo(2 * THREADS);
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
        }));
    }

    @Test
    void pinnedThreadIsFound() {
        Contexts.with(redis)
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> {
                    try (PinnedThreads pinned = new PinnedThreads()) {
                        executor(context).submit(() -> CarrierKeeper.ENDED).get(10, TimeUnit.SECONDS);
                        assertThat(pinned.places()).anyMatch(place -> place.contains("CarrierKeeper"));
                    }
                });
    }

    /** Lets threads of each context acquire the lock in turn, half of them through the annotation. */
    private static void contend(List<? extends ApplicationContext> contexts, int threads, int[] turns)
            throws Exception {
        LockRequest request = LockRequest.of("counter");
        CountDownLatch go = new CountDownLatch(1);
        List<CompletableFuture<Void>> work = new ArrayList<>();
        for (int i = 0; i < threads * contexts.size(); i++) {
            ApplicationContext context = contexts.get(i % contexts.size());
            boolean annotated = i / contexts.size() % 2 == 0;
            work.add(executor(context).submitCompletable(() -> {
                assertThat(isVirtual(Thread.currentThread())).isTrue();
                go.await();
                if (annotated) {
                    context.getBean(Counter.class).count(turns);
                } else {
                    context.getBean(LockOperations.class).executeWithoutResult(request, lease -> count(turns));
                }
                return null;
            }));
        }
        go.countDown();
        for (CompletableFuture<Void> one : work) {
            one.get(40, TimeUnit.SECONDS);
        }
    }

    private static void count(int[] turns) {
        int seen = turns[0];
        Thread.yield();
        turns[0] = seen + 1;
    }

    private static AsyncTaskExecutor executor(ApplicationContext context) {
        return context.getBean(AsyncTaskExecutor.class);
    }

    /** Looks the method up by its name, because this class is compiled for Java 17. */
    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException ex) {
            throw new LinkageError("Thread.isVirtual", ex);
        }
    }

    static class Counter {

        @DistributedLock(scope = "counter")
        void count(int[] turns) {
            VirtualThreadTests.count(turns);
        }
    }

    /** Waits in its static initializer, which pins the thread in every version of Java. */
    private static final class CarrierKeeper {

        static final boolean ENDED = waited();

        private static boolean waited() {
            try {
                return !new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        }
    }

    /** Records where virtual threads were pinned to their carriers. */
    private static final class PinnedThreads implements AutoCloseable {

        private static final String EVENT = "jdk.VirtualThreadPinned";

        private final Recording recording = new Recording();

        PinnedThreads() {
            recording.enable(EVENT).withoutThreshold().withStackTrace();
            recording.start();
        }

        List<String> places() throws IOException {
            recording.stop();
            Path file = Files.createTempFile("pinned", ".jfr");
            try {
                recording.dump(file);
                return RecordingFile.readAllEvents(file).stream()
                        .map(RecordedEvent::toString)
                        .toList();
            } finally {
                Files.delete(file);
            }
        }

        @Override
        public void close() {
            recording.close();
        }
    }
}
