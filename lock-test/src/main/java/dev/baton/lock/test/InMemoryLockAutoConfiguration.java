package dev.baton.lock.test;

import dev.baton.lock.store.LockStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of in-memory locks for tests. Imported by {@link AutoConfigureInMemoryLocks} only; Spring Boot
 * does not detect this class on its own. The store on Redis backs off.
 */
@AutoConfiguration(beforeName = "dev.baton.lock.autoconfigure.LockAutoConfiguration")
@ConditionalOnMissingBean(LockStore.class)
public final class InMemoryLockAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TestClock batonTestClock() {
        return TestClock.ticking();
    }

    @Bean
    InMemoryLockStore batonLockStore(TestClock clock) {
        return new InMemoryLockStore(clock);
    }
}
