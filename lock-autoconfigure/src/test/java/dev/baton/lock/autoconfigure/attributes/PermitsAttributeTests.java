package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Tests {@code permits}: how many calls run at a time. */
class PermitsAttributeTests extends AttributeFixture {

    private static final LockRequest TWO = LockRequest.of("a").permits(2);

    PermitsAttributeTests() {
        super(List.of(), OnMethod.class, OnClass.class, InDefaults.class);
    }

    @Test
    void soManyCallsRunAtATime() {
        OnMethod bean = bean(OnMethod.class);
        try (Lease first = other().acquire(TWO)) {
            assertThat(bean.two(() -> 1)).isEqualTo(1);
            try (Lease second = other().acquire(TWO)) {
                assertBusy(() -> bean.two(() -> 1));
                assertThat(bean.lock()).as("a lock of the same name").isTrue();
                assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
            }
            assertThat(bean.two(() -> 2)).isEqualTo(2);
        }
    }

    @Test
    void callInsideACallTakesAnotherPermit() {
        OnMethod bean = bean(OnMethod.class);
        assertThat(bean.two(() -> bean.two(() -> 3))).isEqualTo(3);
        assertBusy(() -> bean.two(() -> bean.two(() -> bean.two(() -> 4))));
    }

    @Test
    void classAndDefaultsSayItForTheirMethods() {
        try (Lease first = other().acquire(TWO)) {
            assertThat(bean(OnClass.class).one()).isTrue();
            assertThat(bean(InDefaults.class).one()).isTrue();
            try (Lease second = other().acquire(TWO)) {
                assertBusy(bean(OnClass.class)::one);
                assertBusy(bean(InDefaults.class)::one);
                assertThat(List.of(first.isHeld(), second.isHeld())).containsOnly(true);
            }
        }
        assertThat(bean(OnClass.class).three()).as("the nearest counts").isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait-strategy=polling", "wait-strategy=keyspace", "handler=transaction"})
    void permitsFailTheStartWhereLocksAreExclusiveOnly(String property) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(
                        "baton." + property,
                        "baton.namespace=" + namespace,
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port())
                .applyTo(context);
        context.register(AutoConfigured.class, OnMethod.class);
        assertThatExceptionOfType(LockDefinitionException.class)
                .isThrownBy(context::refresh)
                .withMessageContaining("attribute 'permits': permits of semaphore 'a.")
                .withMessageContaining(" are not possible, because "
                        + property.split("=")[0].replace('-', ' ') + " " + property.split("=")[1]
                        + " has exclusive locks only");
    }

    @Test
    void contradictionsFailTheStart() {
        assertRefused(Negative.class, "permits = -1 is negative");
        assertRefused(Owned.class, "permits and owner exclude each other");
    }

    private void assertRefused(Class<?> bean, String problem) {
        assertThatException()
                .isThrownBy(() -> application(bean).close())
                .withRootCauseInstanceOf(LockDefinitionException.class)
                .withMessageContaining("attribute 'permits': " + problem);
    }

    static class OnMethod {
        @DistributedLock(scope = "a", permits = 2)
        public int two(IntSupplier work) {
            return work.getAsInt();
        }

        @DistributedLock(scope = "a")
        public boolean lock() {
            return lease().isHeld();
        }
    }

    @DistributedLock(scope = "a", permits = 2)
    static class OnClass {
        public boolean one() {
            return lease().isHeld();
        }

        @DistributedLock(scope = "b", permits = 3)
        public boolean three() {
            return lease().isHeld();
        }
    }

    @LockDefaults(permits = 2)
    static class InDefaults {
        @DistributedLock(scope = "a")
        public boolean one() {
            return lease().isHeld();
        }
    }

    static class Negative {
        @DistributedLock(scope = "a", permits = -1)
        public void close() {}
    }

    static class Owned {
        @DistributedLock(scope = "a", permits = 2, owner = "'me'")
        public void close() {}
    }
}
