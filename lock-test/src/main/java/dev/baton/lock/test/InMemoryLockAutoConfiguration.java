package dev.baton.lock.test;

import dev.baton.lock.store.LockStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of locks that are kept in memory, for tests; imported by {@link AutoConfigureInMemoryLocks}, and never
 * found by itself. The store on Redis backs off.
 */
@AutoConfiguration(beforeName = "dev.baton.lock.autoconfigure.LockAutoConfiguration")
@ConditionalOnMissingBean(LockStore.class)
public final class InMemoryLockAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TestClock lockTestClock() {
        return TestClock.ticking();
    }

    @Bean
    InMemoryLockStore lockStore(TestClock clock) {
        return new InMemoryLockStore(clock);
    }
}
