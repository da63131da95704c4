package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/**
 * Tests {@code @Retryable} of Spring Framework 7: the lock is inside, so each attempt acquires the lock, which is free
 * between attempts, and a busy lock is a failed attempt.
 */
class RetryableCombinationTests extends CombinationFixture {

    private final ApplicationContextRunner retrying = runner.withUserConfiguration(Enable.class)
            .withPropertyValues("baton.wait-time=0")
            .withBean(Caller.class, () -> new Caller(journal));

    @Test
    void eachAttemptAcquiresTheLock() {
        retrying.run(context -> {
            assertThatIllegalStateException().isThrownBy(context.getBean(Caller.class)::call);
            assertThat(journal)
                    .containsExactly(
                            "lock call.global",
                            "attempt",
                            "release call.global",
                            "lock call.global",
                            "attempt",
                            "release call.global");
        });
    }

    @Test
    void busyLockIsAFailedAttempt() {
        runner.run(other -> retrying.run(context -> {
            try (Lease held = hold(other, "call")) {
                assertThat(held.isHeld()).isTrue();
                assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(context.getBean(Caller.class)::call);
            }
            assertThat(journal)
                    .containsExactly("lock call.global", "busy call.global", "busy call.global", "release call.global");
        }));
    }

    @Test
    void busyLockCanBeExcluded() {
        runner.run(other -> retrying.run(context -> {
            try (Lease held = hold(other, "call")) {
                assertThat(held.isHeld()).isTrue();
                assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(context.getBean(Caller.class)::callUnlessBusy);
            }
            assertThat(journal).containsExactly("lock call.global", "busy call.global", "release call.global");
        }));
    }

    @Test
    void asyncWorkIsRetriedInItsThreadWithALockPerAttempt() {
        retrying.withUserConfiguration(EnableAsyncToo.class).run(context -> {
            context.getBean(Caller.class).callLater();
            awaitJournal(
                    "lock call.global",
                    "attempt in async-1",
                    "release call.global",
                    "lock call.global",
                    "attempt in async-1",
                    "release call.global");
        });
    }

    @EnableResilientMethods
    static class Enable {}

    @EnableAsync
    static class EnableAsyncToo {

        @Bean
        static TaskExecutor taskExecutor() {
            return new SimpleAsyncTaskExecutor("async-");
        }
    }

    static class Caller {

        private final List<String> journal;

        Caller(List<String> journal) {
            this.journal = journal;
        }

        @Retryable(maxRetries = 1, delay = 1)
        @DistributedLock("call")
        public void call() {
            journal.add("attempt");
            throw new IllegalStateException("failed");
        }

        @Async
        @Retryable(maxRetries = 1, delay = 1)
        @DistributedLock("call")
        public void callLater() {
            journal.add("attempt in " + Thread.currentThread().getName());
            throw new IllegalStateException("failed");
        }

        @Retryable(maxRetries = 1, delay = 1, excludes = LockTimeoutException.class)
        @DistributedLock("call")
        public void callUnlessBusy() {
            journal.add("attempt");
        }
    }
}
