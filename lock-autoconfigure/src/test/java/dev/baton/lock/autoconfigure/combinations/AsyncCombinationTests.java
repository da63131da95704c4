package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.interceptor.AsyncUncaughtExceptionHandler;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;

/** Tests {@code @Async}: the asynchronous thread acquires the lock around the work, and never the caller. */
class AsyncCombinationTests extends CombinationFixture {

    private final CountDownLatch callerIsBack = new CountDownLatch(1);

    @Test
    void asynchronousThreadAcquiresTheLockAroundTheWork() {
        runner.withUserConfiguration(Enable.class)
                .withBean(Worker.class, () -> new Worker(journal))
                .run(context -> {
                    context.getBean(Worker.class).work(callerIsBack);
                    journal.add("caller is back");
                    assertThat(LockContext.findLease()).isEmpty();
                    callerIsBack.countDown();
                    await().untilAsserted(() -> assertThat(journal).endsWith("release work.global"));
                    assertThat(journal)
                            .containsExactlyInAnyOrder(
                                    "caller is back", "lock work.global", "work in async-1", "release work.global")
                            .containsSubsequence("lock work.global", "work in async-1", "release work.global")
                            .containsSubsequence("caller is back", "work in async-1");
                });
    }

    @Test
    void callerDoesNotWaitForABusyLock() {
        runner.run(other -> runner.withUserConfiguration(Enable.class)
                .withBean(Worker.class, () -> new Worker(journal))
                .run(context -> {
                    callerIsBack.countDown();
                    try (Lease held = hold(other, "work")) {
                        context.getBean(Worker.class).work(callerIsBack);
                        assertThat(held.isHeld()).isTrue();
                        journal.add("caller is back");
                    }
                    await().untilAsserted(() -> assertThat(Collections.frequency(journal, "release work.global"))
                            .isEqualTo(2));
                    assertThat(journal)
                            .containsSubsequence(
                                    "lock work.global", "caller is back", "lock work.global", "work in async-1")
                            .hasSize(6);
                }));
    }

    @Test
    void lockOfTheCallerBelongsToAnotherOwner() {
        runner.withUserConfiguration(Enable.class)
                .withBean(Worker.class, () -> new Worker(journal))
                .run(context -> {
                    try (Lease held = hold(context, "skipped")) {
                        context.getBean(Worker.class).workUnlessBusy();
                        await().untilAsserted(() -> assertThat(journal).contains("busy skipped.global"));
                        assertThat(held.isHeld()).isTrue();
                    }
                    assertThat(journal).doesNotContain("worked");
                });
    }

    @Test
    void timeoutGoesToTheHandlerOfTheExecutor() {
        runner.withUserConfiguration(Enable.class)
                .withBean(Worker.class, () -> new Worker(journal))
                .run(context -> {
                    Enable enable = context.getBean(Enable.class);
                    try (Lease held = hold(context, "failed")) {
                        context.getBean(Worker.class).workOrFail();
                        assertThat(enable.failed.await(10, TimeUnit.SECONDS)).isTrue();
                        assertThat(held.isHeld()).isTrue();
                    }
                    assertThat(enable.failure).isInstanceOf(LockTimeoutException.class);
                });
    }

    @EnableAsync
    static class Enable implements AsyncConfigurer {

        private final CountDownLatch failed = new CountDownLatch(1);
        private volatile Throwable failure;

        @Override
        public AsyncTaskExecutor getAsyncExecutor() {
            return new SimpleAsyncTaskExecutor("async-");
        }

        @Override
        public AsyncUncaughtExceptionHandler getAsyncUncaughtExceptionHandler() {
            return (thrown, method, params) -> {
                failure = thrown;
                failed.countDown();
            };
        }
    }

    static class Worker {

        private final List<String> journal;

        Worker(List<String> journal) {
            this.journal = journal;
        }

        @Async
        @DistributedLock("work")
        public void work(CountDownLatch callerIsBack) throws InterruptedException {
            assertThat(callerIsBack.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(LockContext.currentLease().isHeld()).isTrue();
            journal.add("work in " + Thread.currentThread().getName());
        }

        @Async
        @DistributedLock(scope = "skipped", waitTime = 0, whenBusy = WhenBusy.SKIP)
        public void workUnlessBusy() {
            journal.add("worked");
        }

        @Async
        @DistributedLock(scope = "failed", waitTime = 0)
        public void workOrFail() {
            journal.add("worked");
        }
    }
}
