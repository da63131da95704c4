package dev.baton.lock.benchmarks.observation;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The registries that receive the measurements. */
public enum Registries {
    /** None: the application has no registry. */
    NONE,
    /** Registries that keep nothing. */
    NO_OP,
    /** A registry in memory; observations become timers in it, as in an application of Spring Boot. */
    SIMPLE,
    /** The same, with nothing but Micrometer's own handler: as with a handler bean of the application's. */
    SIMPLE_DEFAULT;

    Class<?>[] sources() {
        return switch (this) {
            case NONE -> new Class<?>[0];
            case NO_OP -> new Class<?>[] {KeepNothing.class};
            case SIMPLE -> new Class<?>[] {KeepInMemory.class};
            case SIMPLE_DEFAULT -> new Class<?>[] {KeepInMemoryByDefault.class};
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class KeepNothing {

        @Bean
        MeterRegistry meterRegistry() {
            return new CompositeMeterRegistry();
        }

        @Bean
        ObservationRegistry observationRegistry() {
            return ObservationRegistry.NOOP;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class KeepInMemory {

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        DefaultMeterObservationHandler defaultMeterObservationHandler(MeterRegistry meters) {
            return new DefaultMeterObservationHandler(meters);
        }

        /** Boot gives what is observed to the first of the handlers of meters that is for it. */
        @Bean
        ObservationRegistry observationRegistry(ObjectProvider<MeterObservationHandler<?>> handlers) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig()
                    .observationHandler(new FirstMatchingCompositeObservationHandler(
                            handlers.orderedStream().toList()));
            return registry;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class KeepInMemoryByDefault {

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observationRegistry(MeterRegistry meters) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
            return registry;
        }
    }
}
