package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.stereotype.Component;

class ConditionAndOwnerTests {

    private AnnotationConfigApplicationContext context;

    private Service service;

    private FakeLockOperations locks;

    @BeforeEach
    void start() {
        context = LockedContext.start(Service.class, Switch.class);
        service = context.getBean(Service.class);
        locks = context.getBean(FakeLockOperations.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void methodRunsWithoutTheLockIfTheConditionIsFalse() {
        assertThat(service.deploy(true)).isEqualTo("done");
        assertThat(locks.requests()).isEmpty();
    }

    @Test
    void methodRunsUnderTheLockIfTheConditionIsTrue() {
        assertThat(service.deploy(false)).isEqualTo("done");
        assertThat(locks.lastRequest()).isEqualTo(LockRequest.of("server"));
    }

    @Test
    void falseConditionEvaluatesNoKey() {
        assertThat(service.optional(null)).isEqualTo("done");
        assertThat(locks.requests()).isEmpty();
        service.optional("a");
        assertThat(locks.lastRequest().name()).isEqualTo("server.a");
    }

    @Test
    void conditionIsEvaluatedOncePerCall() {
        service.switched();
        assertThat(context.getBean(Switch.class).asked).hasValue(1);
        assertThat(locks.requests()).hasSize(1);
    }

    @Test
    void conditionThatIsNeitherTrueNorFalseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.named("true"))
                .withMessage("condition '#name' of Service.named(..) is a java.lang.String, and only true and false say"
                        + " whether the lock is taken; write a comparison, such as \"#dryRun == false\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.named(null))
                .withMessageStartingWith("condition '#name' of Service.named(..) is null, and only true and false");
    }

    @Test
    void ownerIsTheValueOfItsExpression() {
        service.owned(42L);
        assertThat(locks.lastRequest()).isEqualTo(LockRequest.of("server").owner("42"));
    }

    @Test
    void emptyOwnerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.owned(null))
                .withMessageStartingWith("owner '#session' of Service.owned(..) is null");
        assertThat(locks.requests()).isEmpty();
    }

    static class Service {

        @DistributedLock(scope = "server", condition = "#dryRun == false")
        String deploy(boolean dryRun) {
            return "done";
        }

        @DistributedLock(scope = "server", key = "#name", condition = "#name != null")
        String optional(@Nullable String name) {
            return "done";
        }

        @DistributedLock(scope = "server", condition = "@switch.isOn()")
        void switched() {}

        @DistributedLock(scope = "server", condition = "#name")
        void named(@Nullable String name) {}

        @DistributedLock(scope = "server", owner = "#session")
        void owned(@Nullable Long session) {}
    }

    @Component("switch")
    public static class Switch {

        private final AtomicInteger asked = new AtomicInteger();

        public boolean isOn() {
            asked.incrementAndGet();
            return true;
        }
    }
}
