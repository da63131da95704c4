package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.LockedMethods;
import dev.baton.lock.interceptor.advice.EarlyBeanRecorder;
import dev.baton.lock.interceptor.advice.LockAutoProxyRegistrar;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Fails the creation of a bean whose locks cannot work, or that has locks but is not proxied. The methods of such a
 * bean would silently run unprotected.
 *
 * <p>Beans that are created at start-up are checked at that time. The locks of later beans are checked at start-up as
 * far as the classes are known. Later beans themselves are checked when they are created. Self-invocation, a call on
 * {@code this}, cannot be detected.
 *
 * <p>Must be declared by a static {@code @Bean} method, in the context whose beans are to be checked.
 */
public final class LockedBeanVerifier
        implements SmartInstantiationAwareBeanPostProcessor, SmartInitializingSingleton, BeanFactoryAware, Ordered {

    private final LockedMethods lockedMethods;
    private final LockDefinitionValidator validator;
    private final EarlyBeanRecorder earlyBeans;

    /** Classes whose locks have been checked without an error. */
    private final Set<Class<?>> validated = ConcurrentHashMap.newKeySet();

    /** Classes with locks, by the names of beans whose creation is in progress. */
    private final Map<String, Class<?>> underWay = new ConcurrentHashMap<>();

    /** Names of beans that were checked when another bean received them before their initialization was complete. */
    private final Set<String> checkedEarly = ConcurrentHashMap.newKeySet();

    private @Nullable ConfigurableListableBeanFactory beanFactory;

    public LockedBeanVerifier(LockAttributeSource attributeSource, LockAutoProxyRegistrar registrar) {
        this.lockedMethods = new LockedMethods(attributeSource);
        this.validator = new LockDefinitionValidator(lockedMethods, () -> beanFactory);
        this.earlyBeans = registrar.earlyBeans();
    }

    public LockedMethods lockedMethods() {
        return lockedMethods;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        Assert.isInstanceOf(ConfigurableListableBeanFactory.class, beanFactory);
        this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
    }

    /** Runs directly after the auto-proxy creator, so that the verifier sees its proxies unchanged. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1;
    }

    /** Checks before any proxy is attempted, so that Baton's message is reported and not that of the proxy library. */
    @Override
    public boolean postProcessAfterInstantiation(Object bean, String beanName) {
        earlyBeans.close();
        Class<?> type = ClassUtils.getUserClass(bean);
        if (validate(type, beanName)) {
            underWay.put(beanName, type);
        }
        return true;
    }

    @Override
    public Object getEarlyBeanReference(Object bean, String beanName) {
        verify(bean, beanName, underWay.get(beanName));
        checkedEarly.add(beanName);
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> created = underWay.remove(beanName);
        if (!checkedEarly.remove(beanName)) {
            verify(bean, beanName, created);
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        earlyBeans.drain().forEach((name, type) -> {
            Class<?> userClass = ClassUtils.getUserClass(type);
            if (validate(userClass, name)) {
                throw LockAdviceCheck.unproxied(userClass, anyLocked(userClass), name);
            }
        });
        for (String name : factory().getBeanDefinitionNames()) {
            if (!factory().containsSingleton(name)
                    && !factory().getMergedBeanDefinition(name).isAbstract()) {
                validateLater(name);
            }
        }
    }

    /** Checks a bean that is not created yet. Often only an interface is known, which is not enough for a check. */
    private void validateLater(String beanName) {
        Class<?> type = factory().getType(beanName, false);
        if (type != null && !Modifier.isAbstract(type.getModifiers()) && !Proxy.isProxyClass(type)) {
            validate(ClassUtils.getUserClass(type), beanName);
        }
    }

    private void verify(Object bean, String beanName, @Nullable Class<?> created) {
        if (bean instanceof ScopedObject) {
            return;
        }
        Class<?> type = created != null ? created : lockedType(bean);
        if (validate(type, beanName)) {
            LockAdviceCheck.check(bean, beanName, type, lockedMethods.of(type).keySet());
        }
    }

    /** Returns the class of a factory's product, which may be a proxy of interfaces without a class of its own. */
    private Class<?> lockedType(Object bean) {
        Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        boolean byInterfaces =
                Proxy.isProxyClass(bean.getClass()) && lockedMethods.of(type).isEmpty();
        return byInterfaces ? bean.getClass() : type;
    }

    /** Checks the locks of a class, if that was not done yet, and returns whether the class has locks. */
    private boolean validate(Class<?> type, String beanName) {
        if (lockedMethods.of(type).isEmpty()) {
            return false;
        }
        if (!validated.contains(type)) {
            validator.validate(type, isProxiedByClass(beanName));
            validated.add(type);
        }
        return true;
    }

    private Method anyLocked(Class<?> type) {
        return lockedMethods.of(type).keySet().iterator().next();
    }

    private boolean isProxiedByClass(String beanName) {
        String creator = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
        boolean byInterfaces = factory().containsBean(creator)
                && factory().getBean(creator) instanceof ProxyConfig config
                && !config.isProxyTargetClass();
        return !byInterfaces || AutoProxyUtils.shouldProxyTargetClass(factory(), beanName);
    }

    private ConfigurableListableBeanFactory factory() {
        Assert.state(beanFactory != null, "LockedBeanVerifier needs its bean factory: declare it as a bean");
        return beanFactory;
    }
}
