package dev.baton.lock.interceptor.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockConfiguration;
import dev.baton.lock.testing.LockedContext;
import org.junit.jupiter.api.Test;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

class LockedBeanVerifierTests {

    private static final String NOT_PROXIED = " is not proxied, so the method would run without its lock";

    @Test
    void beanPostProcessorWithALockFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(LockedPostProcessor.class);
        assertThat(failure.beanClass()).isEqualTo(LockedPostProcessor.class);
        assertThat(failure.methodSignature()).isEqualTo("close()");
        assertThat(failure.attribute()).isEmpty();
        assertThat(failure.problem()).isEqualTo("bean 'lockedBeanVerifierTests.LockedPostProcessor'" + NOT_PROXIED);
        assertThat(failure.action())
                .isEqualTo(
                        "If the bean is a BeanPostProcessor, an Advisor or the like, move the method to another bean; if such a bean needs it during its own creation, inject it there lazily (ObjectProvider, @Lazy); otherwise find out what replaces or wraps the bean before its proxy is created.");
    }

    @Test
    void beanThatAPostProcessorNeedsFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(Service.class, EagerPostProcessor.class);
        assertThat(failure.beanClass()).isEqualTo(Service.class);
        assertThat(failure.problem()).endsWith(NOT_PROXIED);
    }

    @Test
    void beanThatAPostProcessorNeedsLazilyPasses() {
        assertLocked(Service.class, LazyPostProcessor.class);
    }

    @Test
    void beanThatAFactoryPostProcessorNeedsFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(EagerFactoryPostProcessor.class, Service.class);
        assertThat(failure.beanClass()).isEqualTo(Service.class);
        assertThat(failure.problem()).endsWith(NOT_PROXIED);
    }

    @Test
    void beanWithoutAutoProxyCreatorFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(RemoveAutoProxyCreator.class, Service.class);
        assertThat(failure.problem()).isEqualTo("bean 'lockedBeanVerifierTests.Service'" + NOT_PROXIED);
    }

    @Test
    void beanWrappedBeforeItsProxyFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(ServiceBean.class, EarlyWrapper.class);
        assertThat(failure.beanClass()).isEqualTo(ServiceBean.class);
        assertThat(failure.problem()).endsWith(NOT_PROXIED);
    }

    @Test
    void beanWithAWrappedProxyPasses() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(ServiceBean.class, LateWrapper.class)) {
            context.getBean(Closer.class).close();
            assertThat(AopUtils.isAopProxy(context.getBean(Closer.class))).isFalse();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    @Test
    void registeredMockIsNotChecked() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(LockConfiguration.class, Service.class);
            context.addBeanFactoryPostProcessor(
                    factory -> factory.registerSingleton("lockedBeanVerifierTests.Service", new Service()));
            assertThatCode(context::refresh).doesNotThrowAnyException();
        }
    }

    @Test
    void circularReferencesPass() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(Ping.class, Pong.class)) {
            context.getBean(Ping.class).close();
            context.getBean(Pong.class).ping.close();
            assertThat(requests(context)).isEqualTo(2);
        }
    }

    @Test
    void lazyCircularReferencesPass() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(LazyPing.class, LazyPong.class)) {
            context.getBean(LazyPing.class).close();
            context.getBean(LazyPong.class).close();
            assertThat(requests(context)).isEqualTo(2);
        }
    }

    @Test
    void wrongLockOfALazyBeanFailsTheStart() {
        assertThat(LockedContext.failure(LazyWrong.class).beanClass()).isEqualTo(LazyWrong.class);
        assertThat(LockedContext.failure(PrototypeWrong.class).beanClass()).isEqualTo(PrototypeWrong.class);
    }

    @Test
    void wrongLockOfALazyBeanOfUnknownClassFailsItsCreation() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(LazyWrongByInterface.class)) {
            Throwable thrown = catchThrowable(() -> context.getBean(Closer.class));
            assertThat(thrown).hasRootCauseInstanceOf(LockDefinitionException.class);
        }
    }

    @Test
    void everyPrototypeIsChecked() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(Prototype.class)) {
            context.getBean(Prototype.class).close();
            context.getBean(Prototype.class).close();
            assertThat(requests(context)).isEqualTo(2);
        }
    }

    private static void assertLocked(Class<?>... beans) {
        try (AnnotationConfigApplicationContext context = LockedContext.start(beans)) {
            context.getBean(Closer.class).close();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    private static int requests(AnnotationConfigApplicationContext context) {
        return context.getBean(FakeLockOperations.class).requests().size();
    }

    interface Closer {
        void close();
    }

    static class Service implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    static class WrongService implements Closer {
        @Override
        @DistributedLock(scope = "orders", expire = 0)
        public void close() {}
    }

    static class LockedPostProcessor extends Service implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class EagerPostProcessor implements BeanPostProcessor, Ordered {
        EagerPostProcessor(Service service) {}

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class LazyPostProcessor implements BeanPostProcessor, Ordered {
        LazyPostProcessor(@Lazy Service service) {}

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class EagerFactoryPostProcessor {
        @Bean
        static BeanFactoryPostProcessor needsService() {
            return factory -> factory.getBean(Service.class);
        }
    }

    static class RemoveAutoProxyCreator implements BeanDefinitionRegistryPostProcessor {
        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            registry.removeBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME);
        }
    }

    /** Not declared as a Service, so that wrappers can replace the bean. */
    static class ServiceBean implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    static class LateWrapper implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            return bean instanceof Closer closing ? new Wrapper(closing) : bean;
        }
    }

    static class EarlyWrapper extends LateWrapper implements PriorityOrdered {
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }

    record Wrapper(Closer wrapped) implements Closer {
        @Override
        public void close() {
            wrapped.close();
        }
    }

    static class Ping extends Service {
        @Autowired
        Pong pong;
    }

    static class Pong {
        @Autowired
        Ping ping;
    }

    @Lazy
    static class LazyPing implements Closer {
        @Autowired
        LazyPong pong;

        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    @Lazy
    static class LazyPong implements Closer {
        @Autowired
        LazyPing ping;

        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    @Lazy
    static class LazyWrong extends WrongService {}

    @Scope("prototype")
    static class PrototypeWrong extends WrongService {}

    @Configuration(proxyBeanMethods = false)
    static class LazyWrongByInterface {
        @Bean
        @Lazy
        Closer closing() {
            return new WrongService();
        }
    }

    @Scope("prototype")
    static class Prototype extends Service {}
}
