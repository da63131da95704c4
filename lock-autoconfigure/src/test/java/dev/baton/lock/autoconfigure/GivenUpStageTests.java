package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Tests callers that complete the future of a method before its lock is granted, on a real Redis. */
@Timeout(60)
class GivenUpStageTests {

    private static final LockRequest JOB = LockRequest.of("job");
    private static final String NAME = "job.global";

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner = Contexts.with(redis)
            .withBean("jobs", Jobs.class)
            .withPropertyValues("baton.recheck=20s", "baton.wait-time=30s");

    @AfterEach
    void end() {
        redis.close();
    }

    static Stream<Named<Consumer<CompletableFuture<String>>>> waysToGiveUp() {
        return Stream.of(
                Named.of("orTimeout", future -> future.orTimeout(10, TimeUnit.MILLISECONDS)),
                Named.of("completeOnTimeout", future -> future.completeOnTimeout("", 10, TimeUnit.MILLISECONDS)),
                Named.of("completeExceptionally", future -> future.completeExceptionally(new TimeoutException())),
                Named.of(
                        "completeExceptionally with a time-out of Baton's",
                        future -> future.completeExceptionally(
                                new LockTimeoutException("other", Duration.ofMillis(1), null))),
                Named.of("complete", future -> future.complete("")),
                Named.of("cancel", future -> future.cancel(true)));
    }

    @ParameterizedTest
    @MethodSource("waysToGiveUp")
    void abandonedRequestLeavesTheQueueAndTheMethodIsNotCalled(Consumer<CompletableFuture<String>> givingUp) {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Lease holder = locks(context).acquire(JOB);
            CompletableFuture<String> waiting = jobs.run(CompletableFuture.completedFuture("called"));
            Waiters.awaitQueue(locks(context), JOB, 1);
            givingUp.accept(waiting);
            Waiters.awaitQueue(locks(context), JOB, 0);
            assertThat(waiting).isDone();
            holder.close();
            CompletableFuture<String> next = jobs.run(CompletableFuture.completedFuture("next"));
            assertThat(next.get(10, TimeUnit.SECONDS)).isEqualTo("next");
            assertThat(jobs.calls()).isEqualTo(1);
            assertThat(jobs.answers()).isZero();
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void startedWorkKeepsItsLockUntilItIsDone() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> first = jobs.run(work);
            await().until(() -> jobs.calls() == 1);
            CompletableFuture<String> second = jobs.run(CompletableFuture.completedFuture("second"));
            Waiters.awaitQueue(locks(context), JOB, 1);
            first.completeExceptionally(new TimeoutException());
            assertThat(work).isNotDone();
            assertThat(second).isNotDone();
            work.complete("first");
            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("second");
        });
    }

    private static LockOperations locks(ApplicationContext context) {
        return context.getBean(LockOperations.class);
    }

    static class Jobs {

        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger answers = new AtomicInteger();

        public int calls() {
            return calls.get();
        }

        public int answers() {
            return answers.get();
        }

        @DistributedLock(value = "job", onTimeout = "answer")
        public CompletableFuture<String> run(CompletableFuture<String> work) {
            calls.incrementAndGet();
            return work;
        }

        CompletableFuture<String> answer(CompletableFuture<String> work) {
            answers.incrementAndGet();
            return CompletableFuture.completedFuture("answer");
        }
    }
}
