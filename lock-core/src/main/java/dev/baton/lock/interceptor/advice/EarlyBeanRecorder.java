package dev.baton.lock.interceptor.advice;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Notes the beans that are created before there is anybody to check them: bean post-processors and what they need. No
 * auto-proxy creator has seen them either. Singletons that were registered ready-made (mocks in a test) are not among
 * them.
 */
public final class EarlyBeanRecorder implements BeanPostProcessor {

    private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!closed) {
            classes.put(beanName, bean.getClass());
        }
        return bean;
    }

    /** Ends the notes: from now on beans are checked when they are created. */
    public void close() {
        closed = true;
    }

    /** Returns the beans by name, once. */
    public Map<String, Class<?>> drain() {
        Map<String, Class<?>> drained = Map.copyOf(classes);
        classes.clear();
        return drained;
    }
}
