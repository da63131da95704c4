package dev.baton.lock.interceptor.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitTime;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLease;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.LockedContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.stereotype.Component;

class LockInterceptorTests {

    private static final String KEY = "key '";

    private AnnotationConfigApplicationContext context;

    private OrderService service;

    private FakeLockOperations locks;

    private Journal journal;

    @BeforeEach
    void start() {
        context = LockedContext.start(OrderService.class, Tenants.class);
        service = context.getBean(OrderService.class);
        locks = context.getBean(FakeLockOperations.class);
        journal = context.getBean(Journal.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void methodRunsUnderTheLockOfItsAnnotation() {
        assertThat(service.close(42, "x")).isEqualTo("closed 42");
        assertThat(locks.lastRequest())
                .isEqualTo(LockRequest.of("orders", 42)
                        .expire(Duration.ofSeconds(10))
                        .waitTime(WaitTime.of(Duration.ofSeconds(2)))
                        .renew(Renewal.NEVER));
        assertThat(journal.entries()).containsExactly("acquire orders.42", "body", "release orders.42");
    }

    @Test
    void methodWithoutAnnotationAcquiresNoLock() {
        service.unlocked();
        assertThat(locks.requests()).isEmpty();
    }

    @Test
    void methodWithoutAKeyHasTheGlobalLock() {
        service.report();
        assertThat(locks.lastRequest()).isEqualTo(LockRequest.of("report"));
    }

    @Test
    void emptyScopeNamesTheClassOfTheBeanAndNotItsProxy() {
        service.unnamed();
        assertThat(locks.lastRequest().name()).isEqualTo(OrderService.class.getName() + ".unnamed.global");
    }

    @Test
    void packagePrivateMethodIsLocked() {
        service.hidden();
        assertThat(locks.lastRequest().name()).isEqualTo("hidden.global");
    }

    @Test
    void currentLeaseIsTheLeaseOfTheMethod() {
        assertThat(service.lease()).isSameAs(locks.lastLease());
        assertThat(LockContext.findLease()).isEmpty();
    }

    @Test
    void keyHasOnePartPerExpression() {
        service.parts("a:b", 7);
        assertThat(locks.lastRequest().name()).isEqualTo("orders.a%3Ab:7");
    }

    @Test
    void keyMayUsePositionsPropertiesRootAndBeans() {
        UUID id = UUID.randomUUID();
        service.variables(new Order(id), "acme");
        assertThat(locks.lastRequest().targets().get(0).keyParts())
                .containsExactly(
                        id.toString(), "acme", "variables", "OrderService", "service", "acme", "tenant of acme");
    }

    @Test
    void keyMayBeAText() {
        service.daily();
        assertThat(locks.lastRequest().name()).isEqualTo("report.daily");
    }

    @Test
    void keyIsEvaluatedOnceAndBeforeTheMethod() {
        Order order = new Order(UUID.randomUUID());
        Object before = order.getId();
        service.mutate(order);
        assertThat(locks.lastRequest().targets().get(0).keyParts()).containsExactly(before.toString());
        assertThat(order.asked).as("the test itself has called the bean once").hasValue(2);
    }

    @Test
    void nullKeyIsRefusedBeforeTheMethod() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.variable(null))
                .withMessage(
                        KEY
                                + "#value' of OrderService.variable(..) is null: all calls with such a value would share one lock; check the value before the lock is acquired");
        assertThat(journal.entries()).isEmpty();
    }

    @Test
    void blankKeyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.variable(" "))
                .withMessage(KEY
                        + "#value' of OrderService.variable(..) is blank: all calls with such a value would share one"
                        + " lock; give it a text that names one thing");
    }

    @Test
    void unusableKeyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.variable(new Object()))
                .withMessageStartingWith(
                        KEY + "#value' of OrderService.variable(..) is a java.lang.Object, which cannot name a lock");
    }

    @Test
    void keyThatCannotBeEvaluatedNamesItsExpression() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.property(null))
                .withMessageStartingWith(KEY + "#order.id' of OrderService.property(..) cannot be evaluated: EL1007E")
                .withMessageEndingWith("; correct the expression, or check the arguments before the lock is acquired");
    }

    @Test
    void exceptionOfTheMethodIsNotWrapped() {
        for (Throwable thrown : List.of(
                new IOException("io"), new IllegalStateException(), new AssertionError(), new Throwable("odd"))) {
            assertThat(catchThrowable(() -> service.fail(thrown))).isSameAs(thrown);
            assertThat(locks.lastLease().isHeld()).isFalse();
        }
    }

    @Test
    void lossIsAddedToTheExceptionOfTheMethod() {
        for (Throwable thrown : List.of(new IOException("io"), new Throwable("odd"))) {
            assertThat(catchThrowable(() -> service.loseAndFail(thrown))).isSameAs(thrown);
            assertThat(thrown.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
        }
    }

    @Test
    void lossFailsTheCall() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> service.lose());
    }

    static class OrderService {

        private final Journal journal;

        OrderService(Journal journal) {
            this.journal = journal;
        }

        @DistributedLock(scope = "orders", key = "#id", expire = 10, waitTime = 2, renew = Renewal.NEVER)
        String close(long id, String by) {
            journal.add("body");
            return "closed " + id;
        }

        void unlocked() {}

        @DistributedLock("report")
        int report() {
            return 1;
        }

        @DistributedLock
        public void unnamed() {}

        @DistributedLock("hidden")
        void hidden() {}

        @DistributedLock("orders")
        public Lease lease() {
            return LockContext.currentLease();
        }

        @DistributedLock(
                scope = "orders",
                key = {"#tenant", "#id"})
        public void parts(String tenant, int id) {}

        @DistributedLock(
                scope = "orders",
                key = {
                    "#order.id",
                    "#p1",
                    "#root.method.name",
                    "#root.targetClass.simpleName",
                    "#root.target.me()",
                    "#root.args[1]",
                    "@tenants.of(#a1)"
                })
        public void variables(Order order, String tenant) {}

        public String me() {
            return "service";
        }

        @DistributedLock(scope = "report", key = "'daily'")
        public void daily() {}

        @DistributedLock(scope = "orders", key = "#order.id")
        public void mutate(Order order) {
            order.id = UUID.randomUUID();
        }

        @DistributedLock(scope = "orders", key = "#value")
        public void variable(@Nullable Object value) {
            journal.add("body");
        }

        @DistributedLock(scope = "orders", key = "#order.id")
        public void property(@Nullable Order order) {}

        @DistributedLock("orders")
        public void fail(Throwable thrown) throws Throwable {
            throw thrown;
        }

        @DistributedLock("orders")
        public void loseAndFail(Throwable thrown) throws Throwable {
            lose(LockContext.currentLease());
            throw thrown;
        }

        @DistributedLock("orders")
        public void lose() {
            lose(LockContext.currentLease());
        }

        private static void lose(Lease lease) {
            ((FakeLease) lease).lose();
        }
    }

    @Component("tenants")
    public static class Tenants {

        public String of(String name) {
            return "tenant of " + name;
        }
    }

    public static class Order {

        private final AtomicInteger asked = new AtomicInteger();
        private UUID id;

        Order(UUID id) {
            this.id = id;
        }

        public UUID getId() {
            asked.incrementAndGet();
            return id;
        }
    }
}
