package dev.baton.lock.testing;

import dev.baton.lock.interceptor.LockDefinitionException;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.MapPropertySource;

/** Starts contexts with locks. */
public final class LockedContext {

    private LockedContext() {}

    /** A context with these beans; the caller closes it. */
    public static AnnotationConfigApplicationContext start(Class<?>... beans) {
        return start(Map.of(), beans);
    }

    /** A context with these properties and beans; the caller closes it. */
    public static AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.register(LockConfiguration.class);
        context.register(beans);
        context.refresh();
        return context;
    }

    /** Starts a context that must not start, and returns why. */
    public static LockDefinitionException failure(Class<?>... beans) {
        return failure(Map.of(), beans);
    }

    /** Starts a context that must not start, and returns why. */
    public static LockDefinitionException failure(Map<String, Object> properties, Class<?>... beans) {
        Throwable thrown =
                Assertions.catchThrowable(() -> start(properties, beans).close());
        Assertions.assertThat(thrown).as("the failure of the start").isNotNull();
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(thrown);
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof LockDefinitionException found) {
                return found;
            }
        }
        throw new AssertionError("not a LockDefinitionException: " + cause, thrown);
    }
}
