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

    /** The thread of the caller must stay free, because it may be the thread that reads the answers of Redis. */
    @Test
    void stageIsNotCompletedInTheCallingThreadIfItsExecutorIsFull() {
        assertThat(TestEngine.get(completedBy())).isNotEqualTo(Thread.currentThread());
        executors.stop();
    }

    @Test
    void stageIsCompletedAfterTheStop() {
        executors.stop();
        assertThat(TestEngine.get(completedBy())).isNotEqualTo(Thread.currentThread());
    }

    private CompletableFuture<Thread> completedBy() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        executors.complete(() -> thread.complete(Thread.currentThread()));
        return thread;
    }
}
