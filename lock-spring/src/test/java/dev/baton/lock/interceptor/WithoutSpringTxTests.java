package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.ClassPathWithout;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class WithoutSpringTxTests {

    @Test
    void locksWithoutSpringTx() throws Exception {
        ClassPathWithout.run(Check.class, "org.springframework.transaction.");
    }

    /** Loaded in a class path without spring-tx. */
    public static class Check implements Runnable {

        @Override
        public void run() {
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() ->
                            Class.forName("org.springframework.transaction.support.TransactionSynchronizationManager"));
            try (AnnotationConfigApplicationContext context = LockedContext.start(Service.class)) {
                context.getBean(Service.class).close();
                assertThat(context.getBean(FakeLockOperations.class).requests()).hasSize(1);
            }
        }
    }

    public static class Service {
        @DistributedLock("orders")
        public void close() {}
    }
}
