package dev.baton.lock.autoconfigure;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/** Logs once, after bean creation, if Spring ends the shutdown before {@code baton.shutdown.await} is over. */
final class ShutdownAwaitWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(ShutdownAwaitWarning.class);

    private static final String PHASE = "spring.lifecycle.timeout-per-shutdown-phase";

    /** The default of Spring Boot. */
    private static final Duration DEFAULT_PHASE = Duration.ofSeconds(30);

    private final ObjectProvider<LockProperties> properties;
    private final Environment environment;

    ShutdownAwaitWarning(ObjectProvider<LockProperties> properties, Environment environment) {
        this.properties = properties;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Duration await = properties.getObject().shutdown().await();
        Duration phase = Binder.get(environment).bind(PHASE, Duration.class).orElse(DEFAULT_PHASE);
        if (await.compareTo(phase) > 0) {
            logger.warn(
                    "baton.shutdown.await is {}, but Spring ends each phase of the shutdown after {} ({}), although locks"
                            + " may still be held. Set {} to at least {}, or baton.shutdown.await to at most {}.",
                    text(await),
                    text(phase),
                    PHASE,
                    PHASE,
                    text(await),
                    text(phase));
        }
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : DurationStyle.SIMPLE.print(duration);
    }
}
