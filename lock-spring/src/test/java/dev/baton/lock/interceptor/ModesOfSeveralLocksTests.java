package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Tests methods with several locks, each in its own mode, on locks in memory. */
class ModesOfSeveralLocksTests {

    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final LockTemplate locks =
            LockTemplate.builder(store).waitTime(WaitTime.none()).build();
    private final AnnotationLockAttributeSource source = new AnnotationLockAttributeSource(text -> text);

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    void eachLockHasTheModeOfItsAnnotation() {
        assertThat(proxied(new Mixed()).order(7, "eu", this::shared)).containsExactly("prices.eu");
        assertThat(proxied(new Mixed())
                        .order(7, "eu", () -> LockContext.currentLease().names()))
                .containsExactlyInAnyOrder("order.7", "prices.eu");
    }

    @Test
    void readersShareTheirLockAndWritersDoNot() {
        Mixed mixed = proxied(new Mixed());
        LockRequest prices = LockRequest.of("prices", "eu").owner("another");
        try (Lease reader = locks.acquire(prices.mode(LockMode.SHARED))) {
            assertThat(mixed.order(7, "eu", this::shared)).isNotEmpty();
            assertThat(reader.isHeld()).isTrue();
        }
        try (Lease writer = locks.acquire(prices)) {
            assertBusy(mixed);
            assertThat(writer.isHeld()).isTrue();
        }
        LockRequest order = LockRequest.of("order", 7).mode(LockMode.SHARED).owner("another");
        try (Lease reader = locks.acquire(order)) {
            assertBusy(mixed);
            assertThat(reader.isHeld()).isTrue();
        }
    }

    private void assertBusy(Mixed mixed) {
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> mixed.order(7, "eu", this::shared));
    }

    @Test
    void locksOfOneScopeMayDifferInTheirModes() {
        assertThat(proxied(new Mixed()).copy(1, 2, this::shared)).containsExactly("shelf.1");
        assertThat(proxied(new Mixed()).copy(1, 1, this::shared))
                .as("exclusive wins")
                .isEmpty();
    }

    @Test
    void collectionOfKeysHasTheModeOfItsAnnotation() {
        assertThat(proxied(new Mixed()).merge(List.of(1, 2), this::shared))
                .containsExactlyInAnyOrder("shelf.1", "shelf.2");
    }

    @Test
    void modeThatIsOpenComesFromTheNextPlace() {
        assertThat(proxied(new OfClass()).both(this::shared)).containsExactlyInAnyOrder("a.global", "b.global");
        assertThat(proxied(new OfClass()).one(this::shared)).containsExactly("a.global");
        assertThat(proxied(new OfDefaults()).both(this::shared)).containsExactly("a.global");
    }

    @Test
    void methodWithoutAScopeMayGiveAllLocksOfItsClassItsMode() {
        assertThat(proxied(new TwoOfClass()).write(this::shared)).isEmpty();
        assertThat(proxied(new TwoOfClass()).read(this::shared)).containsExactlyInAnyOrder("a.global", "b.global");
        assertThat(proxied(new TwoOfClass()).asTheClass(this::shared)).containsExactly("a.global");
    }

    @Test
    void openModeIsRefusedIfThePlaceHasSeveral() throws NoSuchMethodException {
        Method method = TwoModesOfClass.class.getDeclaredMethod("other");
        assertThatThrownBy(() -> source.getLockAttribute(method, TwoModesOfClass.class))
                .isInstanceOf(LockDefinitionException.class)
                .hasMessageContaining("mode is not written")
                .hasMessageContaining("has several: 'SHARED' and none");
    }

    @Test
    void attributesWithOtherModesDiffer() {
        LockAttribute reads =
                LockAttribute.of(LockRequest.of("a").mode(LockMode.SHARED)).key("#id");
        LockAttribute writes = LockAttribute.of(LockRequest.of("b")).key("#id");
        LockAttribute both = reads.and(writes);
        assertThat(both.request().sharedNames()).containsExactly("a.global");
        assertThat(both)
                .isNotEqualTo(LockAttribute.of(LockRequest.of("a")).key("#id").and(writes));
        assertThat(both.request(both.request().expire(Duration.ofSeconds(5))).locks())
                .as("a change of other settings")
                .isEqualTo(both.locks());
        assertThat(both.request(both.request().mode(LockMode.EXCLUSIVE)).locks())
                .extracting(DeclaredLock::mode)
                .containsOnly(LockMode.EXCLUSIVE);
    }

    /** Returns the locks of the current lease that are shared. */
    private List<String> shared() {
        return LockContext.currentLease().names().stream()
                .filter(name -> {
                    String[] words = name.split("[.]");
                    return locks.inspect(LockRequest.of(words[0], words[1])).isShared();
                })
                .toList();
    }

    @SuppressWarnings("unchecked")
    private <T> T proxied(T target) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(
                new LockAdvisor(source, new LockInterceptor(source, new DefaultListableBeanFactory(), () -> locks)));
        return (T) factory.getProxy();
    }

    static class Mixed {

        @DistributedLock(scope = "order", key = "#id")
        @DistributedLock(scope = "prices", key = "#market", mode = LockMode.SHARED)
        List<String> order(long id, String market, Supplier<List<String>> work) {
            return work.get();
        }

        @DistributedLock(scope = "shelf", key = "#from", mode = LockMode.SHARED)
        @DistributedLock(scope = "shelf", key = "#to")
        List<String> copy(long from, long to, Supplier<List<String>> work) {
            return work.get();
        }

        @DistributedLock(scope = "shelf", key = "#from", mode = LockMode.SHARED)
        @DistributedLock(scope = "index")
        List<String> merge(List<Integer> from, Supplier<List<String>> work) {
            return work.get();
        }
    }

    @DistributedLock(scope = "c", mode = LockMode.SHARED)
    static class OfClass {

        @DistributedLock(scope = "a")
        @DistributedLock(scope = "b")
        List<String> both(Supplier<List<String>> work) {
            return work.get();
        }

        @DistributedLock(scope = "a")
        @DistributedLock(scope = "b", mode = LockMode.EXCLUSIVE)
        List<String> one(Supplier<List<String>> work) {
            return work.get();
        }
    }

    @LockDefaults(mode = LockMode.SHARED)
    static class OfDefaults {

        @DistributedLock(scope = "a")
        @DistributedLock(scope = "b", mode = LockMode.EXCLUSIVE)
        List<String> both(Supplier<List<String>> work) {
            return work.get();
        }
    }

    @DistributedLock(scope = "a", mode = LockMode.SHARED)
    @DistributedLock(scope = "b")
    static class TwoOfClass {

        @DistributedLock(mode = LockMode.EXCLUSIVE)
        List<String> write(Supplier<List<String>> work) {
            return work.get();
        }

        @DistributedLock(mode = LockMode.SHARED)
        List<String> read(Supplier<List<String>> work) {
            return work.get();
        }

        public List<String> asTheClass(Supplier<List<String>> work) {
            return work.get();
        }
    }

    @DistributedLock(scope = "a", mode = LockMode.SHARED)
    @DistributedLock(scope = "b")
    static class TwoModesOfClass {

        @DistributedLock(scope = "c")
        void other() {}
    }
}
