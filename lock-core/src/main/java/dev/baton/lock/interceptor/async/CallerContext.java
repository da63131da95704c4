package dev.baton.lock.interceptor.async;

import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/** Takes the thread-locals of a caller along, where Micrometer's context propagation is on the class path. */
final class CallerContext {

    private static final boolean PROPAGATION_PRESENT =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

    private CallerContext() {}

    /** The same action, with the thread-locals that this thread has now, in whatever thread it is run. */
    static Runnable capture(Runnable action) {
        return PROPAGATION_PRESENT ? Propagation.capture(action) : action;
    }

    /** Loaded only where it can be. */
    private static final class Propagation {

        private static final ContextPropagatingTaskDecorator DECORATOR = new ContextPropagatingTaskDecorator();

        private Propagation() {}

        static Runnable capture(Runnable action) {
            return DECORATOR.decorate(action);
        }
    }
}
