package dev.baton.lock.autoconfigure.attributes;

import static dev.baton.lock.LockMode.EXCLUSIVE;
import static dev.baton.lock.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Tests {@code mode}: one holder at a time, or several readers. */
class ModeAttributeTests extends AttributeFixture {

    ModeAttributeTests() {
        super(
                List.of(),
                Exclusive.class,
                ExclusiveAgain.class,
                SharedOnMethod.class,
                SharedOnClass.class,
                SharedInDefaults.class);
    }

    @Test
    void exclusiveAllowsOneHolder() {
        try (Lease held = hold("a")) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(Exclusive.class)::close);
            assertBusy(bean(ExclusiveAgain.class)::close);
            assertBusy(bean(SharedOnMethod.class)::read);
        }
        assertThat(bean(Exclusive.class).close()).isTrue();
        assertThat(bean(ExclusiveAgain.class).close()).isTrue();
    }

    @Test
    void sharedAllowsReadersAndNoWriter() {
        try (Lease reader = other().acquire(LockRequest.of("a").mode(SHARED))) {
            assertThat(bean(SharedOnMethod.class).read()).isEqualTo(reader.fencingToken());
            assertThat(bean(SharedOnClass.class).read()).isEqualTo(reader.fencingToken());
            assertThat(bean(SharedInDefaults.class).read()).isEqualTo(reader.fencingToken());
            assertBusy(bean(Exclusive.class)::close);
            assertBusy(bean(ExclusiveAgain.class)::close);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait-strategy=polling", "wait-strategy=keyspace", "handler=transaction"})
    void sharedFailsTheStartWhereLocksAreExclusiveOnly(String property) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(
                        "baton." + property,
                        "baton.namespace=" + namespace,
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port())
                .applyTo(context);
        context.register(AutoConfigured.class, SharedOnMethod.class);
        assertThatExceptionOfType(LockDefinitionException.class)
                .isThrownBy(context::refresh)
                .withMessageContaining(SharedOnMethod.class.getName()
                        + ".read(), attribute 'mode': mode SHARED of lock 'a.global' is not possible, because "
                        + property.split("=")[0].replace('-', ' ') + " " + property.split("=")[1]
                        + " has exclusive locks only");
    }

    static class Exclusive {
        @DistributedLock(scope = "a", mode = EXCLUSIVE)
        boolean close() {
            return lease().isHeld();
        }
    }

    @LockDefaults(mode = SHARED)
    static class ExclusiveAgain {
        @DistributedLock(scope = "a", mode = EXCLUSIVE)
        boolean close() {
            return lease().isHeld();
        }
    }

    static class SharedOnMethod {
        @DistributedLock(scope = "a", mode = SHARED)
        public long read() {
            return lease().fencingToken();
        }
    }

    @DistributedLock(scope = "a", mode = SHARED)
    static class SharedOnClass {
        public long read() {
            return lease().fencingToken();
        }
    }

    @LockDefaults(mode = SHARED)
    static class SharedInDefaults {
        @DistributedLock(scope = "a")
        public long read() {
            return lease().fencingToken();
        }
    }
}
