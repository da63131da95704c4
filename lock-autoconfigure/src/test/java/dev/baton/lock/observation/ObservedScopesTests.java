package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Tests that the number of meters from observations is bounded for any number of locks and scopes, with any handler.
 */
@ExtendWith(OutputCaptureExtension.class)
class ObservedScopesTests {

    private final MeterRegistry meters = new SimpleMeterRegistry();

    static Stream<Function<MeterRegistry, MeterObservationHandler<?>>> handlers() {
        return Stream.of(
                registry -> new LockObservationMeters(registry, true),
                registry -> new DefaultMeterObservationHandler(registry));
    }

    private void with(
            LockObservationConvention convention, MeterObservationHandler<?> handler, Consumer<LockOperations> work) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(handler);
        try (LockTemplate locks = LockTemplate.builder(new InMemoryLockStore(TestClock.ticking()))
                .shutdownAwait(Duration.ZERO)
                .observer(new ObservedLocks(registry, convention))
                .build()) {
            work.accept(locks);
        }
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("handlers")
    void scopesBeyondTheirNumberShareOneValueAndOneWarning(
            Function<MeterRegistry, MeterObservationHandler<?>> handler, CapturedOutput output) {
        with(new DefaultLockObservationConvention(false, 3), handler.apply(meters), locks -> {
            for (int scope = 0; scope < 250; scope++) {
                locks.execute("scope-" + scope, "global", lease -> 1);
            }
            locks.execute("scope-0", "global", lease -> 1);
        });
        Map<String, Long> expected = Map.of("scope-0", 2L, "scope-1", 1L, "scope-2", 1L, LockMeters.OTHER, 247L);
        assertThat(byScope(meters.get("baton.lock").timers(), Timer::count)).isEqualTo(expected);
        assertThat(byScope(meters.get("baton.lock.baton.granted").counters(), counter -> (long) counter.count()))
                .isEqualTo(expected);
        assertThat(byScope(meters.get("baton.lock.active").longTaskTimers(), timer -> (long) timer.activeTasks()))
                .containsOnlyKeys(expected.keySet());
        assertThat(output.getAll().split("baton.metrics.max-scopes", -1)).hasSize(2);
        assertThat(output).contains("There are more than 3 scopes", "'scope-3' and those that come later");
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("handlers")
    void tenThousandKeysAddNoMeter(Function<MeterRegistry, MeterObservationHandler<?>> handler) {
        with(new DefaultLockObservationConvention(true), handler.apply(meters), locks -> {
            locks.execute("x", 1, lease -> 1);
            int before = meters.getMeters().size();
            for (int key = 0; key < 10_000; key++) {
                locks.execute("x", key, lease -> 1);
            }
            assertThat(meters.getMeters()).hasSize(before);
        });
        assertThat(meters.get("baton.lock").timer().count()).isEqualTo(10_001);
    }

    @Test
    void conventionWithoutANumberHasAHundred() {
        DefaultLockObservationConvention convention = new DefaultLockObservationConvention(false);
        List<String> values = IntStream.range(0, 150)
                .mapToObj(i -> new LockObservationContext(LockRequest.of("scope-" + i)))
                .map(context -> scope(convention, context))
                .toList();
        assertThat(values).contains("scope-0", "scope-99").doesNotContain("scope-100");
        assertThat(values.stream().filter(LockMeters.OTHER::equals)).hasSize(50);
    }

    @Test
    void spanOfAScopeBeyondTheLimitIsNamedByTheSharedValue() {
        DefaultLockObservationConvention convention = new DefaultLockObservationConvention(false, 1);
        assertThat(Arrays.asList("a", "b", "a"))
                .map(scope -> convention.getContextualName(new LockObservationContext(LockRequest.of(scope))))
                .containsExactly("lock a", "lock other", "lock a");
    }

    /** Key values of a scope are created once, also for the scopes that share a name. */
    @Test
    void keyValuesAreCached() {
        DefaultLockObservationConvention convention = new DefaultLockObservationConvention(false, 1);
        for (String scope : List.of("a", "b")) {
            LockObservationContext context = new LockObservationContext(LockRequest.of(scope));
            assertThat(convention.getLowCardinalityKeyValues(context))
                    .isSameAs(convention.getLowCardinalityKeyValues(context));
        }
    }

    @Test
    void atLeastOneScopeHasItsOwnValue() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DefaultLockObservationConvention(false, 0));
    }

    private static String scope(DefaultLockObservationConvention convention, LockObservationContext context) {
        return convention.getLowCardinalityKeyValues(context).stream()
                .filter(value -> value.getKey().equals("baton.scope"))
                .map(KeyValue::getValue)
                .collect(Collectors.joining());
    }

    private static <M extends Meter> Map<String, Long> byScope(Collection<M> meters, Function<M, Long> count) {
        return meters.stream().collect(Collectors.toMap(meter -> meter.getId().getTag("baton.scope"), count));
    }
}
