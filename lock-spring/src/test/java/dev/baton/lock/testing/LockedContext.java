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

    /** Starts a context with these beans. The caller closes the context. */
    public static AnnotationConfigApplicationContext start(Class<?>... beans) {
        return start(Map.of(), beans);
    }

    /** Starts a context with these properties and beans. The caller closes the context. */
    public static AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.register(LockConfiguration.class);
        context.register(beans);
        context.refresh();
        return context;
    }

    /** Starts a context that must fail. Returns the failure. */
    public static LockDefinitionException failure(Class<?>... beans) {
        return failure(Map.of(), beans);
    }

    /** Starts a context that must fail. Returns the failure. */
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
