package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that key values can be added and removed as in any other context of Micrometer. */
class LockObservationContextTests {

    private static final KeyValues TWO = KeyValues.of("b", "1", "d", "1");

    private final Observation.Context ours = new LockObservationContext(LockRequest.of("account"));
    private final Observation.Context plain = new Observation.Context();

    /** A change of the key values of a context. */
    interface Change {

        void of(Observation.Context context);
    }

    static Stream<List<Change>> changes() {
        Change two = context -> context.addLowCardinalityKeyValues(TWO).addHighCardinalityKeyValues(TWO);
        Change again = context -> context.addLowCardinalityKeyValues(KeyValues.of("d", "2", "b", "2"))
                .addHighCardinalityKeyValues(KeyValues.of("b", "3", "d", "3"));
        Change others = context -> context.addLowCardinalityKeyValues(KeyValues.of("a", "4", "c", "4", "d", "4"))
                .addHighCardinalityKeyValues(KeyValues.of("d", "5", "e", "5"));
        Change fewer = context -> context.addLowCardinalityKeyValues(KeyValues.of("b", "6"))
                .addHighCardinalityKeyValues(KeyValues.empty());
        Change one = context -> context.addLowCardinalityKeyValue(KeyValue.of("c", "7"))
                .addHighCardinalityKeyValue(KeyValue.of("b", "7"));
        Change without = context -> context.removeLowCardinalityKeyValue("b")
                .removeHighCardinalityKeyValue("d")
                .removeHighCardinalityKeyValue("unknown");
        Change withoutAny = context -> context.removeLowCardinalityKeyValues("d", "b", "b")
                .removeHighCardinalityKeyValues("b", "d", "unknown");
        return Stream.of(
                List.of(),
                List.of(two),
                List.of(two, again),
                List.of(two, others, fewer),
                List.of(two, fewer, one),
                List.of(one, two, without),
                List.of(two, one, withoutAny, others, again));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("changes")
    void keyValuesAreThoseOfAPlainContext(List<Change> changes) {
        for (Change change : changes) {
            change.of(ours);
            change.of(plain);
        }
        assertThat(ours.getLowCardinalityKeyValues()).isEqualTo(plain.getLowCardinalityKeyValues());
        assertThat(ours.getHighCardinalityKeyValues()).isEqualTo(plain.getHighCardinalityKeyValues());
        assertThat(ours.getAllKeyValues()).isEqualTo(plain.getAllKeyValues());
        for (String key : List.of("a", "b", "c", "d", "e", "unknown")) {
            assertThat(ours.getLowCardinalityKeyValue(key)).as(key).isEqualTo(plain.getLowCardinalityKeyValue(key));
            assertThat(ours.getHighCardinalityKeyValue(key)).as(key).isEqualTo(plain.getHighCardinalityKeyValue(key));
        }
    }

    @Test
    void modeIsAKeyValue() {
        DefaultLockObservationConvention convention = new DefaultLockObservationConvention(false);
        LockRequest read = LockRequest.of("a").mode(LockMode.SHARED);
        assertThat(convention.getLowCardinalityKeyValues(new LockObservationContext(read)))
                .isEqualTo(KeyValues.of("baton.scope", "a", "baton.mode", "shared", "baton.outcome", "none"));
        assertThat(convention.getLowCardinalityKeyValues(new LockObservationContext(read.and(LockRequest.of("b")))))
                .as("not all of its locks")
                .isEqualTo(KeyValues.of("baton.scope", "a+b", "baton.mode", "exclusive", "baton.outcome", "none"));
    }

    @Test
    void conventionHasTheSameValuesForAScopeWithAnyNumberOfScopes() {
        DefaultLockObservationConvention convention = new DefaultLockObservationConvention(false, 1_500);
        for (int i = 0; i < 1_500; i++) {
            LockObservationContext context = new LockObservationContext(LockRequest.of("scope-" + i));
            assertThat(convention.getLowCardinalityKeyValues(context))
                    .isEqualTo(KeyValues.of(
                            "baton.scope", "scope-" + i, "baton.mode", "exclusive", "baton.outcome", "none"));
            assertThat(convention.getHighCardinalityKeyValues(context))
                    .isEqualTo(KeyValues.of("baton.token", "0", "baton.waited.ms", "0"));
            context.granted(Duration.ofMillis(i % 3), null, i);
            assertThat(convention.getLowCardinalityKeyValues(context))
                    .isEqualTo(KeyValues.of(
                            "baton.scope", "scope-" + i, "baton.mode", "exclusive", "baton.outcome", "granted"));
            assertThat(convention.getHighCardinalityKeyValues(context))
                    .isEqualTo(KeyValues.of("baton.token", "" + i, "baton.waited.ms", "" + i % 3));
            assertThat(convention.getContextualName(context)).isEqualTo("lock scope-" + i);
        }
    }
}
