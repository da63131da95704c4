package dev.baton.lock.interceptor.async;

import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/** Transfers the thread-locals of a caller if Micrometer's context propagation is on the class path. */
final class CallerContext {

    private static final boolean PROPAGATION_PRESENT =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

    private CallerContext() {}

    /** Returns the same action with the current thread-locals of this thread, regardless of the thread that runs it. */
    static Runnable capture(Runnable action) {
        return PROPAGATION_PRESENT ? Propagation.capture(action) : action;
    }

    /** Loaded only if context propagation is present. */
    private static final class Propagation {

        private static final ContextPropagatingTaskDecorator DECORATOR = new ContextPropagatingTaskDecorator();

        private Propagation() {}

        static Runnable capture(Runnable action) {
            return DECORATOR.decorate(action);
        }
    }
}
