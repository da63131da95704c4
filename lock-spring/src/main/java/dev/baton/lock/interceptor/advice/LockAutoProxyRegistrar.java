package dev.baton.lock.interceptor.advice;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;

/**
 * Ensures that beans with locks get their proxies, even with {@code spring.aop.auto=false} and without AspectJ.
 *
 * <p>An auto-proxy creator that is already configured stays unchanged. Otherwise this class registers one that creates
 * proxies by class, as Spring Boot does, unless {@code spring.aop.proxy-target-class} is {@code false}.
 *
 * <p>Must be declared by a static {@code @Bean} method, because the registrar works before other beans exist.
 */
public final class LockAutoProxyRegistrar implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {

    private final EarlyBeanRecorder earlyBeans = new EarlyBeanRecorder();
    private final Environment environment;

    public LockAutoProxyRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (registry.containsBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)) {
            return;
        }
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        beanFactory.addBeanPostProcessor(earlyBeans);
    }

    public EarlyBeanRecorder earlyBeans() {
        return earlyBeans;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
