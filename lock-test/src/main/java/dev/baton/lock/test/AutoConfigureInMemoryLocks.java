package dev.baton.lock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Keeps the application's locks in memory for a Spring Boot test class, so that the locks need no Redis. Everything
 * else is as in the application: the annotation, {@code baton.*}, the engine, leases that end, and waiters to which a
 * lock is handed.
 *
 * <p>The test can inject the {@link TestClock}, which follows the machine's clock and can be advanced in addition. A
 * {@code TestClock} bean of the test replaces that clock, for example {@link TestClock#standing()}. The test can also
 * inject the {@link InMemoryLockStore}: {@link InMemoryLockStore#newProcess()} creates the store of another process
 * that contends for the same locks. Tests that share a context share its locks; {@link InMemoryLockStore#clear()}
 * forgets them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration(InMemoryLockAutoConfiguration.class)
public @interface AutoConfigureInMemoryLocks {}
