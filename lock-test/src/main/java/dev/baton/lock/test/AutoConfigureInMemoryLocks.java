package dev.baton.lock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * On a test class of Spring Boot: the application's locks are kept in memory, and no Redis is needed for them. Everything else is as in
 * the application: the annotation, {@code baton.*}, the engine, leases that end, waiters that are handed a lock.
 *
 * <p>The test may inject the {@link TestClock}, which goes as the machine's does unless it is advanced (a {@code TestClock} bean
 * of its own replaces it, {@link TestClock#standing()} for instance), and the {@link InMemoryLockStore}: another process that
 * contends for the locks is made on {@link InMemoryLockStore#newProcess()}. Tests that share a context share its locks;
 * {@link InMemoryLockStore#clear()} forgets them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration(InMemoryLockAutoConfiguration.class)
public @interface AutoConfigureInMemoryLocks {}
