package dev.baton.lock.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.support.TestEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class EngineExecutorsTests {

    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM, task -> {
        throw new RejectedExecutionException("full, on purpose");
    });

    /** As the one that reads the answers of Redis. */
    @Test
    void stageWhoseExecutorIsFullIsNotCompletedByWhoeverTellsOfIt() {
        assertThat(TestEngine.get(completedBy())).isNotEqualTo(Thread.currentThread());
        executors.stop();
    }

    @Test
    void stageIsCompletedAlsoAfterTheStop() {
        executors.stop();
        assertThat(TestEngine.get(completedBy())).isNotEqualTo(Thread.currentThread());
    }

    private CompletableFuture<Thread> completedBy() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        executors.complete(() -> thread.complete(Thread.currentThread()));
        return thread;
    }
}
