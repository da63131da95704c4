package dev.baton.lock.aot;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.validation.LockedBeanVerifier;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Lets a native image call what the locks of a bean call by reflection: the methods themselves, their {@code onTimeout}
 * methods, and the properties that their expressions read. Uses the attributes that the context's
 * {@link LockedBeanVerifier} sees. A lock whose handler does not fit fails the build, as it would fail the start.
 */
public final class LockedBeanAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
        ConfigurableListableBeanFactory beanFactory = registeredBean.getBeanFactory();
        LockedBeanVerifier verifier =
                beanFactory.getBeanProvider(LockedBeanVerifier.class).getIfAvailable();
        if (verifier == null) {
            return null;
        }
        Class<?> type = ClassUtils.getUserClass(registeredBean.getBeanClass());
        Map<Method, LockAttribute> locked = verifier.lockedMethods().of(type);
        if (locked.isEmpty()) {
            return null;
        }
        return (generationContext, code) -> {
            LockedMethodHints hints = new LockedMethodHints(generationContext.getRuntimeHints(), beanFactory, type);
            locked.forEach(hints::register);
        };
    }
}
