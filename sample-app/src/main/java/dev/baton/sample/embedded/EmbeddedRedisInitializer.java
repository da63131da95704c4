package dev.baton.sample.embedded;

import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Starts an {@link EmbeddedRedis} before the application, and ends it after it, if no Redis is configured. */
public final class EmbeddedRedisInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedisInitializer.class);

    /** Below {@code spring.data.redis}; each of them says where a Redis is. */
    private static final Set<String> ADDRESSES = Set.of("url", "host", "port", "sentinel", "cluster", "masterreplica");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        // the build, which only looks at the beans, needs no Redis
        if (isConfigured(context.getEnvironment()) || Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            return;
        }
        EmbeddedRedis redis = EmbeddedRedis.start();
        log.info(
                "No Redis is configured: started one on {}:{}, which ends with this process",
                redis.host(),
                redis.port());
        context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "embeddedRedis",
                        Map.of("spring.data.redis.host", redis.host(), "spring.data.redis.port", redis.port())));
        context.getBeanFactory().registerSingleton("embeddedRedis", redis);
        // The first to be registered is the last to be destroyed: after all that still need it, and also after a failed
        // start.
        ((DefaultSingletonBeanRegistry) context.getBeanFactory()).registerDisposableBean("embeddedRedis", redis::close);
    }

    private static boolean isConfigured(ConfigurableEnvironment environment) {
        return Binder.get(environment)
                .bind("spring.data.redis", Bindable.mapOf(String.class, Object.class))
                .map(settings -> settings.keySet().stream().anyMatch(ADDRESSES::contains))
                .orElse(false);
    }
}
