package dev.baton.lock.autoconfigure;

import dev.baton.lock.support.LockTemplate;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Logs once, when the application context is ready, which locks the application has and where they are kept. Waits for
 * no server: a Redis that is down does not delay the start.
 */
final class LockStartupLog implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger logger = LoggerFactory.getLogger(LockStartupLog.class);

    private final ApplicationContext context;
    private final DeclaredLocks declared;
    private final ObjectProvider<LockTemplate> template;
    private final AtomicBoolean logged = new AtomicBoolean();

    LockStartupLog(ApplicationContext context, DeclaredLocks declared, ObjectProvider<LockTemplate> template) {
        this.context = context;
        this.declared = declared;
        this.template = template;
    }

    /** Ignores the events of child contexts, such as that of the management server. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() == context && logger.isInfoEnabled() && logged.compareAndSet(false, true)) {
            logger.info(LockSummary.of(declared, true, template.getIfUnique()).line());
        }
    }
}
