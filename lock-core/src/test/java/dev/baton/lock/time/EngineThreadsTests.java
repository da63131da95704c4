package dev.baton.lock.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.support.TestEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class EngineThreadsTests {

    private final EngineThreads threads = new EngineThreads(TimeSource.SYSTEM, task -> {
        throw new RejectedExecutionException("full, on purpose");
    });

    /** As the one that reads the answers of Redis. */
    @Test
    void stageWhoseExecutorIsFullIsNotCompletedByWhoeverTellsOfIt() {
        assertThat(TestEngine.get(completedBy())).isNotEqualTo(Thread.currentThread());
        threads.stop();
    }

    @Test
    void stageIsCompletedAlsoAfterTheStop() {
        threads.stop();
        assertThat(TestEngine.get(completedBy())).isNotEqualTo(Thread.currentThread());
    }

    private CompletableFuture<Thread> completedBy() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        threads.complete(() -> thread.complete(Thread.currentThread()));
        return thread;
    }
}
