package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.RetryConfiguration;
import org.springframework.retry.annotation.Retryable;

/**
 * Tests {@code @Retryable} of Spring Retry: its advice has the lowest precedence, like that of transactions, so the
 * lock is acquired once around all attempts, unless the advice has an order before that of the lock.
 */
class SpringRetryCombinationTests extends CombinationFixture {

    private final ApplicationContextRunner retrying = runner.withBean(Caller.class, () -> new Caller(journal));

    @Test
    void lockIsAcquiredOnceAroundAllAttempts() {
        retrying.withUserConfiguration(Enable.class).run(context -> {
            assertThatIllegalStateException().isThrownBy(context.getBean(Caller.class)::call);
            assertThat(journal).containsExactly("lock call.global", "attempt", "attempt", "release call.global");
        });
    }

    @Test
    void eachAttemptAcquiresTheLockIfRetriesPrecedeLocks() {
        retrying.withUserConfiguration(EnableBeforeLocks.class).run(context -> {
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

    /** The imports of {@code @EnableRetry}, without AspectJ, which {@code @EnableRetry} requires. */
    @Import(RetryConfiguration.class)
    static class Enable {}

    static class EnableBeforeLocks {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static RetryConfiguration retries() {
            RetryConfiguration retries = new RetryConfiguration();
            // the same as @EnableRetry(order = ...)
            retries.setOrder(LockAdvisor.DEFAULT_ORDER - 1);
            return retries;
        }
    }

    static class Caller {

        private final List<String> journal;

        Caller(List<String> journal) {
            this.journal = journal;
        }

        @Retryable(maxAttempts = 2, backoff = @Backoff(delay = 1))
        @DistributedLock("call")
        public void call() {
            journal.add("attempt");
            throw new IllegalStateException("failed");
        }
    }
}
