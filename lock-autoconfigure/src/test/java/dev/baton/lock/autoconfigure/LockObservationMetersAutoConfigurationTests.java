package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.observation.LockObservationContext;
import dev.baton.lock.observation.LockObservationConvention;
import dev.baton.lock.observation.LockObservationMeters;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Tests that locks have the same meters as with Boot alone, and only once, in an application with meters from
 * observations.
 */
class LockObservationMetersAutoConfigurationTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42);

    private final ApplicationContextRunner runner = Contexts.withoutRedis()
            .withBean(InMemoryLockStore.class, () -> new InMemoryLockStore(TestClock.ticking()))
            .withConfiguration(AutoConfigurations.of(
                    ObservationAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    LockObservationAutoConfiguration.class));

    private static final class OwnHandler implements MeterObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void locksAreMeasuredOnceAndOtherObservationsUnchanged() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(LockObservationMeters.class);
            context.getBean(LockTemplate.class).execute(REQUEST, lease -> 1);
            Observation.start("other", context.getBean(ObservationRegistry.class))
                    .stop();
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("baton.lock").timer().count()).isEqualTo(1);
            assertThat(meters.get("baton.lock.active").longTaskTimer().activeTasks())
                    .isZero();
            assertThat(meters.get("baton.lock.baton.granted").counter().count()).isEqualTo(1);
            assertThat(meters.get("other").timer().count()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.metrics.observations.ignored-meters=long-task-timer",
                "management.observations.long-task-timer.enabled=false"
            })
    void disabledMeterIsNotRegistered(String property) {
        runner.withPropertyValues(property).run(context -> {
            context.getBean(LockTemplate.class).execute(REQUEST, lease -> 1);
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.find("baton.lock").timer()).isNotNull();
            assertThat(meters.find("baton.lock.active").longTaskTimer()).isNull();
        });
    }

    @Test
    void numberOfScopesIsLimitedByTheProperty() {
        runner.withPropertyValues("baton.metrics.max-scopes=3").run(context -> {
            Map<String, Long> counts = countsOfFiveScopes(context);
            assertThat(counts).isEqualTo(Map.of("scope-0", 1L, "scope-1", 1L, "scope-2", 1L, "other", 2L));
        });
        runner.run(context -> assertThat(countsOfFiveScopes(context)).hasSize(5));
    }

    @Test
    void conventionOfTheApplicationIsNotBounded() {
        LockObservationConvention own = new LockObservationConvention() {
            @Override
            public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
                return KeyValues.of("baton.scope", context.scope());
            }
        };
        runner.withPropertyValues("baton.metrics.max-scopes=3")
                .withBean(LockObservationConvention.class, () -> own)
                .run(context -> assertThat(countsOfFiveScopes(context)).hasSize(5));
    }

    private static Map<String, Long> countsOfFiveScopes(ApplicationContext context) {
        for (int scope = 0; scope < 5; scope++) {
            context.getBean(LockTemplate.class).execute(LockRequest.of("scope-" + scope), lease -> 1);
        }
        return context.getBean(MeterRegistry.class).get("baton.lock").timers().stream()
                .collect(Collectors.toMap(timer -> timer.getId().getTag("baton.scope"), Timer::count));
    }

    @Test
    void handlerOfTheApplicationKeepsItsPlace() {
        runner.withBean(OwnHandler.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockObservationMeters.class));
    }

    @Test
    void contextWithoutAMeterRegistryHasNoMeters() {
        Contexts.withoutRedis()
                .withBean(InMemoryLockStore.class, () -> new InMemoryLockStore(TestClock.ticking()))
                .withConfiguration(AutoConfigurations.of(LockObservationAutoConfiguration.class))
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockTemplate.class)
                        .doesNotHaveBean(LockObservationMeters.class));
    }

    @Test
    void contextWithoutTheHandlerOfBootHasNoHandler() {
        Contexts.withoutRedis()
                .withConfiguration(AutoConfigurations.of(LockObservationAutoConfiguration.class))
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DefaultMeterObservationHandler.class)
                        .doesNotHaveBean(LockObservationMeters.class));
    }
}
