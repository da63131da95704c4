package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockAttributeSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests the advice as configured by Boot; other tests cover the advice itself. */
@ExtendWith(OutputCaptureExtension.class)
class LockAdviceTests {

    private final RecordingOperations operations = new RecordingOperations();

    private final ApplicationContextRunner runner = Contexts.withoutRedis()
            .withBean(RecordingOperations.class, () -> operations)
            .withUserConfiguration(Services.class);

    @Test
    void annotatedMethodAcquiresItsLock(CapturedOutput output) {
        runner.run(context -> {
            context.getBean(Orders.class).close(42);
            assertThat(operations.names).containsExactly("order.42");
        });
        assertThat(output).doesNotContain("not eligible for getting processed by all BeanPostProcessors");
    }

    @Test
    void annotatedMethodAcquiresItsLockWithoutAutomaticAop() {
        runner.withPropertyValues("spring.aop.auto=false").run(context -> {
            context.getBean(Orders.class).close(42);
            assertThat(operations.names).containsExactly("order.42");
        });
    }

    @Test
    void annotatedMethodAcquiresItsLockBehindAnInterface() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false").run(context -> {
            Reports reports = context.getBean(Reports.class);
            assertThat(AopUtils.isJdkDynamicProxy(reports)).isTrue();
            reports.build();
            assertThat(operations.names).containsExactly("report.global");
        });
    }

    @Test
    void lockIsOutsideTheTransaction() {
        Contexts.withDatabase(runner, "advice").withBean(Transfers.class).run(context -> {
            assertThat(context.getBean(Transfers.class).transfer()).isTrue();
            assertThat(operations.transactions).containsExactly(false, false);
        });
    }

    @Test
    void propertyRefusesLocksInsideATransaction() {
        Contexts.withDatabase(runner, "refused")
                .withBean(Transfers.class)
                .withPropertyValues("baton.in-transaction=refuse")
                .run(context -> {
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    Transfers transfers = context.getBean(Transfers.class);
                    assertThatIllegalStateException()
                            .isThrownBy(() -> transaction.execute(status -> transfers.transfer()))
                            .withMessageContaining("baton.in-transaction=refuse");
                    assertThat(operations.names).isEmpty();
                    assertThat(transfers.transfer()).isTrue();
                });
    }

    @Test
    void attributeSourcesProtectMethodsInAdditionToTheAnnotation() {
        runner.withUserConfiguration(ByName.class).run(context -> {
            context.getBean(Orders.class).close(42);
            context.getBean(Orders.class).list();
            assertThat(operations.names).containsExactly("order.42", "by-name.global");
        });
    }

    @Test
    void backsOffWhenTheSourceOfTheAnnotationIsDefined() {
        runner.withUserConfiguration(OwnPlaceholders.class).run(context -> {
            context.getBean(Orders.class).close(42);
            assertThat(operations.names).containsExactly("own.42");
        });
    }

    @Test
    void disabledLocksAreLogged(CapturedOutput output) {
        runner.withPropertyValues("baton.enabled=false").run(context -> {
            context.getBean(Orders.class).close(42);
            assertThat(operations.names).isEmpty();
        });
        assertThat(output)
                .containsOnlyOnce("baton.enabled=false: nothing is locked. Methods with @DistributedLock that run"
                        + " unprotected: 4. The auto-configured LockTemplate grants everything at once.");
    }

    @Test
    void enabledLocksAreNotLogged(CapturedOutput output) {
        runner.run(context -> assertThat(output).doesNotContain("nothing is locked"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Services {

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        Reports reports() {
            return new DailyReports();
        }

        @Bean
        @Lazy
        LazyJob lazyJob() {
            return new LazyJob();
        }

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        ScopedJob scopedJob() {
            return new ScopedJob();
        }
    }

    static class Orders {

        @DistributedLock(scope = "order", key = "#id")
        void close(long id) {}

        void list() {}
    }

    interface Reports {

        void build();
    }

    static class DailyReports implements Reports {

        @Override
        @DistributedLock(scope = "report")
        public void build() {}
    }

    static class LazyJob {

        @DistributedLock(scope = "job")
        void run() {}
    }

    static class ScopedJob {

        @DistributedLock(scope = "scoped")
        void run() {}
    }

    static class Transfers {

        @Transactional
        @DistributedLock(scope = "transfer")
        boolean transfer() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByName {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockAttributeSource byName() {
            LockAttribute byName = LockAttribute.of(LockRequest.of("by-name"));
            return (method, targetClass) ->
                    targetClass == Orders.class && List.of("list", "close").contains(method.getName()) ? byName : null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPlaceholders {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static AnnotationLockAttributeSource own() {
            return new AnnotationLockAttributeSource(text -> text.replace("order", "own"));
        }
    }
}
