package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Tests calls of methods with locks of several scopes, on locks in memory: all or none, under one lease. */
class LocksOfSeveralScopesTests {

    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final LockTemplate locks = LockTemplate.builder(store)
            .waitTime(WaitTime.none())
            .scope(LockRequest.of("order").expire(Duration.ofSeconds(7)))
            .build();
    private final Orders orders = locked(new Orders(), locks);

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    void callHoldsAllLocksUnderOneLease() {
        Lease lease = orders.close(42, "acme");
        assertThat(lease.names()).containsExactlyInAnyOrder("order.42", "customer.acme", "day.global");
        assertThat(lease.fencingToken()).isPositive();
        assertThat(locks.isLocked(LockRequest.of("order", 42))).isFalse();
    }

    @Test
    void noneIsAcquiredWhileOneIsBusy() {
        try (Lease held = locks.acquire(LockRequest.of("customer", "acme").owner("another"))) {
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> orders.close(42, "acme"));
            assertThat(held.isHeld()).isTrue();
            assertThat(locks.isLocked(LockRequest.of("order", 42))).isFalse();
        }
    }

    @Test
    void eachKeyMayNameSeveralLocks() {
        assertThat(orders.merge(List.of(1, 2), List.of("acme", "best")))
                .containsExactlyInAnyOrder("order.1", "order.2", "customer.acme", "customer.best");
    }

    @Test
    void equalNamesOfACallCountOnce() {
        assertThat(orders.transfer(3, 3)).containsExactly("account.3");
        assertThat(orders.transfer(3, 4)).containsExactlyInAnyOrder("account.3", "account.4");
    }

    @Test
    void limitOfLocksCountsThemTogether() {
        List<Integer> many = IntStream.range(0, 100).boxed().toList();
        List<String> others = many.stream().map(String::valueOf).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.merge(many, others))
                .withMessageStartingWith("a request for 200 locks is too large (at most 128)");
    }

    @Test
    void propertiesOfAScopeApplyOnlyIfAllLocksHaveIt() {
        assertThat(orders.pair(1, 2)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(7));
        assertThat(orders.pairAndDay(1, 2)).isGreaterThan(Duration.ofSeconds(7));
    }

    @Test
    void stageKeepsAllLocksUntilItCompletes() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = orders.later(42, "acme", work);
        List<LockRequest> both = List.of(LockRequest.of("order", 42), LockRequest.of("customer", "acme"));
        assertThat(both).allMatch(locks::isLocked);
        work.complete("done");
        assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
        assertThat(both).noneMatch(locks::isLocked);
    }

    private static Orders locked(Orders target, LockOperations operations) {
        LockAttributeSource source = new AnnotationLockAttributeSource(text -> text);
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(new LockAdvisor(
                source, new LockInterceptor(source, new DefaultListableBeanFactory(), () -> operations)));
        return (Orders) factory.getProxy();
    }

    static class Orders {

        @DistributedLock(scope = "order", key = "#order")
        @DistributedLock(scope = "customer", key = "#customer")
        @DistributedLock(scope = "day")
        Lease close(long order, String customer) {
            return LockContext.currentLease();
        }

        @DistributedLock(scope = "order", key = "#orders")
        @DistributedLock(scope = "customer", key = "#customers")
        List<String> merge(List<Integer> orders, List<String> customers) {
            return LockContext.currentLease().names();
        }

        @DistributedLock(scope = "account", key = "#from")
        @DistributedLock(scope = "account", key = "#to")
        List<String> transfer(long from, long to) {
            return LockContext.currentLease().names();
        }

        @DistributedLock(scope = "order", key = "#one")
        @DistributedLock(scope = "order", key = "#two")
        Duration pair(long one, long two) {
            return LockContext.currentLease().remaining();
        }

        @DistributedLock(scope = "order", key = "#one")
        @DistributedLock(scope = "order", key = "#two")
        @DistributedLock(scope = "day")
        Duration pairAndDay(long one, long two) {
            return LockContext.currentLease().remaining();
        }

        @DistributedLock(scope = "order", key = "#order")
        @DistributedLock(scope = "customer", key = "#customer")
        CompletableFuture<String> later(long order, String customer, CompletableFuture<String> work) {
            return work;
        }
    }
}
