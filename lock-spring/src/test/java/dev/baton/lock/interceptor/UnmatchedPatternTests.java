package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.LogCapture;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** Tests name patterns that match no method. */
class UnmatchedPatternTests {

    private static final String HERE = UnmatchedPatternTests.class.getName() + "$";

    @Test
    void patternWithoutAMethodIsLoggedOnceAtTheStart() {
        try (LogCapture log = new LogCapture(NameMatchLockAttributeSource.class.getName())) {
            try (AnnotationConfigApplicationContext context =
                    new AnnotationConfigApplicationContext(Patterns.class, Beans.class)) {
                assertThat(context.getBean("invoices")).isNotNull();
            }
            assertThat(log.messages(Level.WARN))
                    .containsExactly("Pattern '" + HERE
                            + "Invoices.clsoe' matches no public method of a bean, so it locks no method"
                            + " with 'invoice'. Correct the names of class and method, or remove the pattern. Keep it"
                            + " if its bean is created later, by a class that is not known at startup.");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Patterns {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockAttributeSource patterns() {
            LockAttribute invoice = LockAttribute.of(LockRequest.of("invoice"));
            return new NameMatchLockAttributeSource(Map.of(
                    HERE + "Invoices.close", invoice,
                    HERE + "Invoices.*", invoice,
                    HERE + "Invoices.clsoe", invoice,
                    HERE + "LazyJob.run", invoice,
                    HERE + "Annotated.run", invoice));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Invoices invoices() {
            return new Invoices();
        }

        @Bean
        @Lazy
        LazyJob lazyJob() {
            throw new IllegalStateException("created at the start");
        }

        @Bean
        Annotated annotated() {
            return new Annotated();
        }
    }

    public static class Invoices {
        public void close() {}

        void clsoe() {}
    }

    public static class LazyJob {
        public void run() {}
    }

    /** The annotation takes precedence, and the pattern still matches its method. */
    public static class Annotated {
        @DistributedLock("annotated")
        public void run() {}
    }
}
