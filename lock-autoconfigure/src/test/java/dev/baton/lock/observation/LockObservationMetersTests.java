package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that cached meters are the same as those that Micrometer would look up. */
class LockObservationMetersTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42);

    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final LockTemplate holder = LockTemplate.builder(store.newProcess())
            .time(store.clock())
            .shutdownAwait(Duration.ZERO)
            .build();
    private final MeterRegistry kept = new SimpleMeterRegistry(SimpleConfig.DEFAULT, new MockClock());
    private final MeterRegistry lookedFor = new SimpleMeterRegistry(SimpleConfig.DEFAULT, new MockClock());

    @AfterEach
    void stop() {
        holder.close();
    }

    enum Course {
        GRANTED {
            @Override
            void of(LockOperations locks, LockOperations holder) {
                locks.execute(REQUEST, lease -> 1);
            }
        },
        HELD {
            @Override
            void of(LockOperations locks, LockOperations holder) {
                locks.acquire(REQUEST);
            }
        },
        FAILED {
            @Override
            void of(LockOperations locks, LockOperations holder) {
                assertThatThrownBy(() -> locks.execute(REQUEST, lease -> {
                            throw new IllegalStateException("the work's own");
                        }))
                        .hasMessage("the work's own");
            }
        },
        TIMED_OUT {
            @Override
            void of(LockOperations locks, LockOperations holder) {
                try (Lease held = holder.acquire(REQUEST)) {
                    assertThatThrownBy(() -> locks.execute(REQUEST.waitTime(Duration.ofMillis(20)), lease -> 1))
                            .isInstanceOf(LockTimeoutException.class);
                }
            }
        };

        abstract void of(LockOperations locks, LockOperations holder);
    }

    private static final class ExtendedConvention extends WithName {

        ExtendedConvention() {
            super("app.lock");
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
            return KeyValues.of("tenant", "t" + context.outcome());
        }
    }

    private static class WithName implements LockObservationConvention {

        private final @Nullable String name;

        WithName(@Nullable String name) {
            this.name = name;
        }

        @Override
        public @Nullable String getName() {
            return name;
        }
    }

    private LockTemplate observed(LockObservationConvention convention, MeterObservationHandler<?> handler) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(handler);
        return LockTemplate.builder(store.newProcess())
                .time(store.clock())
                .shutdownAwait(Duration.ZERO)
                .observer(new ObservedLocks(registry, convention))
                .build();
    }

    private void with(
            LockObservationConvention convention, MeterObservationHandler<?> handler, Consumer<LockOperations> work) {
        try (LockTemplate locks = observed(convention, handler)) {
            work.accept(locks);
        }
    }

    private static Map<String, Double> figures(MeterRegistry registry) {
        Map<String, Double> figures = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            for (Measurement measurement : meter.measure()) {
                figures.put(
                        meter.getId() + " " + meter.getId().getType() + " " + measurement.getStatistic(),
                        measurement.getValue());
            }
        }
        return figures;
    }

    @ParameterizedTest
    @EnumSource
    void metersAreThoseOfTheMicrometerHandler(Course course) {
        LockObservationConvention convention = new DefaultLockObservationConvention(false);
        for (int time = 0; time < 3; time++) {
            with(convention, new LockObservationMeters(kept, true), locks -> course.of(locks, holder));
            store.clock().advance(Duration.ofHours(1));
            with(convention, new DefaultMeterObservationHandler(lookedFor), locks -> course.of(locks, holder));
            store.clock().advance(Duration.ofHours(1));
        }
        assertThat(figures(kept)).isNotEmpty().isEqualTo(figures(lookedFor));
    }

    @ParameterizedTest
    @EnumSource
    void conventionIsHonoured(Course course) {
        with(new ExtendedConvention(), new LockObservationMeters(kept, true), locks -> course.of(locks, holder));
        store.clock().advance(Duration.ofHours(1));
        with(
                new ExtendedConvention(),
                new DefaultMeterObservationHandler(lookedFor),
                locks -> course.of(locks, holder));
        assertThat(figures(kept)).isEqualTo(figures(lookedFor));
        assertThat(kept.getMeters())
                .isNotEmpty()
                .allMatch(meter -> meter.getId().getName().startsWith("app.lock"));
    }

    @Test
    void longTasksCanBeLeftOut() {
        LockObservationConvention convention = new DefaultLockObservationConvention(false);
        with(convention, new LockObservationMeters(kept, false), locks -> Course.GRANTED.of(locks, holder));
        with(
                convention,
                new DefaultMeterObservationHandler(lookedFor, IgnoredMeters.LONG_TASK_TIMER),
                locks -> Course.GRANTED.of(locks, holder));
        assertThat(figures(kept)).isNotEmpty().isEqualTo(figures(lookedFor));
    }

    @Test
    void conventionWithoutANameUsesTheDefaultNameForItsMeters() {
        with(new WithName(null), new LockObservationMeters(kept, true), locks -> Course.GRANTED.of(locks, holder));
        assertThat(kept.get("baton.lock").timer().count()).isEqualTo(1);
    }

    @Test
    void removedMetersAreRegisteredAgain() {
        with(new DefaultLockObservationConvention(false), new LockObservationMeters(kept, true), locks -> {
            Course.GRANTED.of(locks, holder);
            kept.clear();
            Course.GRANTED.of(locks, holder);
        });
        assertThat(kept.get("baton.lock").timer().count()).isEqualTo(1);
        assertThat(kept.get("baton.lock.baton.granted").counter().count()).isEqualTo(1);
    }

    @Test
    void uncachedMetersAreCounted() {
        int scopes = LockObservationMeters.MOST_KEPT + 20;
        with(new DefaultLockObservationConvention(false, scopes), new LockObservationMeters(kept, true), locks -> {
            for (int time = 0; time < 2; time++) {
                for (int scope = 0; scope < scopes; scope++) {
                    locks.execute(LockRequest.of("scope" + scope), lease -> 1);
                }
            }
        });
        assertThat(kept.get("baton.lock").timers()).hasSize(scopes).allMatch(timer -> timer.count() == 2);
    }

    @Test
    void heldLocksAreActive() {
        with(new DefaultLockObservationConvention(false), new LockObservationMeters(kept, true), locks -> {
            try (Lease held = locks.acquire(REQUEST)) {
                assertThat(held.isHeld()).isTrue();
                assertThat(active()).isEqualTo(1);
            }
            assertThat(active()).isZero();
        });
    }

    private double active() {
        for (Measurement measurement :
                kept.get("baton.lock.active").longTaskTimer().measure()) {
            if (measurement.getStatistic() == Statistic.ACTIVE_TASKS) {
                return measurement.getValue();
            }
        }
        return -1;
    }
}
