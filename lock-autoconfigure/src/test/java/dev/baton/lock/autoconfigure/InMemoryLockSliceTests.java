package dev.baton.lock.autoconfigure;

import static dev.baton.lock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.AutoConfigureInMemoryLocks;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests an application with locks in memory, without a Redis. */
@SpringBootTest(properties = {"spring.data.redis.port=9", "baton.expire=20s"})
@AutoConfigureInMemoryLocks
class InMemoryLockSliceTests {

    @Autowired
    private Service service;

    @Autowired
    private LockTemplate locks;

    @Autowired
    private InMemoryLockStore store;

    @Autowired
    private TestClock clock;

    @BeforeEach
    void forget() {
        store.clear();
    }

    @Test
    void annotatedMethodHoldsItsLock() {
        assertThat(service.locked(locks)).isTrue();
        assertThat(locks).isNotLocked("server_access", 42);
    }

    @Test
    void leaseEndsAndAnotherProcessIsGrantedWhenTheClockIsAdvanced() throws Exception {
        LockRequest request = LockRequest.of("server_access", 42);
        Lease lease = locks.acquire(request.expire(Duration.ofSeconds(10)));
        try (LockTemplate other =
                LockTemplate.builder(store.newProcess()).time(clock).build()) {
            CompletableFuture<Lease> waiter =
                    CompletableFuture.supplyAsync(() -> other.acquire(request.waitTime(Duration.ofMinutes(1))));
            Awaitility.await().untilAsserted(() -> assertThat(locks).hasWaiters(1, "server_access", 42));
            clock.advance(Duration.ofSeconds(10).plusMillis(100));
            Lease next = waiter.get(5, TimeUnit.SECONDS);
            assertThat(next).isHeld().isLaterThan(lease);
            assertThat(lease).isLost();
            // otherwise the stop would wait for the holder
            assertThat(next.release()).isTrue();
        }
    }

    @Test
    void propertiesOfTheApplicationApply() {
        try (Lease lease = locks.acquire(LockRequest.of("x"))) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
        }
    }

    @Test
    void contextHasNoBeansOfTheStoreOnRedis(@Autowired ApplicationContext context) {
        assertThat(context.getBeanNamesForType(RedisLockStore.class)).isEmpty();
    }

    /** A service with a locked method. */
    static class Service {

        @DistributedLock(scope = "server_access", key = "42")
        public boolean locked(LockTemplate locks) {
            return locks.isLocked(LockRequest.of("server_access", 42))
                    && LockContext.currentLease().isHeld();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Service service() {
            return new Service();
        }
    }
}
