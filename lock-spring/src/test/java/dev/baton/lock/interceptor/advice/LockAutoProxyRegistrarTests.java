package dev.baton.lock.interceptor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

class LockAutoProxyRegistrarTests {

    private static final Map<String, Object> BY_INTERFACE = Map.of("spring.aop.proxy-target-class", "false");

    @Test
    void proxiesByClassByDefault() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(Service.class)) {
            Closer bean = context.getBean(Closer.class);
            assertThat(AopUtils.isCglibProxy(bean)).isTrue();
            bean.close();
            assertThat(context.getBean(FakeLockOperations.class).requests()).hasSize(1);
        }
    }

    @Test
    void proxiesByInterfaceIfConfigured() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(BY_INTERFACE, Service.class)) {
            assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Closer.class)))
                    .isTrue();
        }
    }

    @Test
    void keepsAnExistingAutoProxyCreator() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(OwnAutoProxy.class, Service.class)) {
            Closer bean = context.getBean(Closer.class);
            assertThat(AopUtils.isJdkDynamicProxy(bean)).isTrue();
            bean.close();
            assertThat(context.getBean(FakeLockOperations.class).requests()).hasSize(1);
        }
    }

    interface Closer {
        void close();
    }

    static class Service implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    @Import(RegisterAutoProxy.class)
    static class OwnAutoProxy {}

    static class RegisterAutoProxy implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }
}
