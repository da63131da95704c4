package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.actuate.LocksEndpoint;
import dev.baton.lock.observation.LockMeters;
import dev.baton.lock.support.LockTemplate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Tests that meters, observations, endpoint and health exist only with their optional dependencies. */
class WithoutActuatorTests {

    private static final Set<String> THREADS_OF_LOCKS = Set.of(
            "baton-asker",
            "baton-callback",
            "baton-clock",
            "baton-store-clock",
            "baton-store-connect",
            "baton-store-subscribe");

    private final ApplicationContextRunner runner = Contexts.withoutRedis()
            .withConfiguration(AutoConfigurations.of(
                    LockMetricsAutoConfiguration.class,
                    LockObservationAutoConfiguration.class,
                    LockHealthAutoConfiguration.class,
                    LockInfoAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class));

    @Test
    void starterAloneHasNoObserverBeans() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("spring.data.redis.port=" + Contexts.NO_REDIS)
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer", "org.springframework.boot.actuate", "org.springframework.boot.health"))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(LockTemplate.class)
                            .doesNotHaveBean(LockListener.class)
                            .doesNotHaveBean(LockTemplateCustomizer.class)
                            .doesNotHaveBean("locksHealthIndicator");
                    assertThat(outside(context)).isEmpty();
                });
    }

    /** With all dependencies, the search finds the same beans. */
    @Test
    void observerBeansExistWithTheirDependencies() {
        runner.withBean(SimpleMeterRegistry.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=locks",
                        "management.endpoints.jmx.exposure.include=locks",
                        "spring.jmx.enabled=true")
                .run(context -> assertThat(outside(context))
                        .contains(
                                "LockMeters",
                                "LocksEndpoint",
                                "LockMetricsAutoConfiguration",
                                "LockObservationAutoConfiguration",
                                "LockHealthAutoConfiguration",
                                "LockInfoAutoConfiguration"));
    }

    /** Locks have their threads; meters, observations, endpoint and health have none. */
    @Test
    void observersHaveNoThreads() {
        assertThat(threads(Contexts.withoutRedis())).isNotEmpty().isSubsetOf(THREADS_OF_LOCKS);
        assertThat(threads(runner.withBean(SimpleMeterRegistry.class)
                        .withBean(ObservationRegistry.class, ObservationRegistry::create)
                        .withPropertyValues("management.endpoints.web.exposure.include=locks")))
                .isNotEmpty()
                .isSubsetOf(THREADS_OF_LOCKS);
    }

    private static Set<String> threads(ApplicationContextRunner runner) {
        Set<String> names = new TreeSet<>();
        // threads of earlier tests may still be ending
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        runner.withPropertyValues("baton.command-timeout=200ms").run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            LockRequest request = LockRequest.of("account").waitTime(Duration.ofMillis(300));
            assertThatThrownBy(() -> locks.acquire(request)).isInstanceOf(LockStoreException.class);
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("baton"))
                    .map(name -> name.replaceAll("\\d+", ""))
                    .forEach(names::add);
        });
        return names;
    }

    /** Returns the simple names of the beans of the observer packages and of their auto-configurations. */
    private static List<String> outside(ApplicationContext context) {
        return Arrays.stream(context.getBeanDefinitionNames())
                .map(context::getType)
                .filter(Objects::nonNull)
                .filter(type -> type.getName().matches("dev\\.baton\\.lock\\.(observation|actuate|board)\\..*")
                        || type.getSimpleName()
                                .matches("Lock.*(Metrics|Observation|Health|Info|Endpoint|Board)AutoConfiguration"))
                .map(Class::getSimpleName)
                .toList();
    }

    @Test
    void locksAreNotMeasuredWithoutARegistry() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(LockMeters.class)
                .doesNotHaveBean(LockTemplateCustomizer.class));
    }

    @Test
    void metersAndObservationsNeedOnlyTheirRegistries() {
        runner.withBean(SimpleMeterRegistry.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("baton.metrics.max-scopes=7")
                .run(context -> assertThat(context)
                        .hasSingleBean(LockMeters.class)
                        .hasSingleBean(LockTemplateCustomizer.class));
    }

    @Test
    void endpointExistsOnlyIfExposed() {
        runner.run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
        runner.withPropertyValues("management.endpoints.web.exposure.include=locks", "management.server.port=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void healthCanBeDisabled() {
        runner.run(context -> assertThat(context).hasBean("locksHealthIndicator"));
        runner.withPropertyValues("management.health.locks.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("locksHealthIndicator"));
    }

    @Test
    void tooFewScopesNameTheProperty() {
        runner.withBean(SimpleMeterRegistry.class)
                .withPropertyValues("baton.metrics.max-scopes=0")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("baton.metrics.max-scopes"));
    }

    @Test
    void tooFewScopesOfObservationsNameTheProperty() {
        runner.withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("baton.metrics.max-scopes=0")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("baton.metrics.max-scopes"));
    }

    @Test
    void negativeSlowWaitNamesTheProperty() {
        runner.withPropertyValues("baton.log.slow-wait=-1s")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("baton.log.slow-wait"));
    }

    /** Imports by name, as in an application, because annotations of loaded classes would hide a missing class. */
    @Configuration(proxyBeanMethods = false)
    @Import(ByName.class)
    static class Application {}

    static class ByName implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            String ours = "dev.baton.lock.autoconfigure.";
            return new String[] {
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                ours + "LockAutoConfiguration",
                ours + "LockMetricsAutoConfiguration",
                ours + "LockObservationAutoConfiguration",
                ours + "LockHealthAutoConfiguration",
                ours + "LockInfoAutoConfiguration",
                ours + "LocksEndpointAutoConfiguration",
                ours + "LockBoardAutoConfiguration"
            };
        }
    }
}
