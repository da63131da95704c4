package dev.baton.lock.interceptor.advice;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Records the beans that are created before a check of them exists: bean post-processors and their dependencies. No
 * auto-proxy creator has processed these beans either. Singletons that were registered as finished objects, such as
 * mocks in a test, are not recorded.
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

    /** Stops recording: from now on, beans are checked when they are created. */
    public void close() {
        closed = true;
    }

    /** Returns the classes of the recorded beans by bean name, and clears the record. */
    public Map<String, Class<?>> drain() {
        Map<String, Class<?>> drained = Map.copyOf(classes);
        classes.clear();
        return drained;
    }
}
