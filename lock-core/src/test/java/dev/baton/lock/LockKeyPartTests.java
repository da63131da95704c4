package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.elsewhere.HiddenEntities;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LockKeyPartTests {

    private static final String SOURCE = "key '#order' of OrderService.close";

    static Stream<Arguments> accepted() {
        return Stream.of(
                Arguments.of("acme", "acme"),
                Arguments.of(" a b ", " a b "),
                Arguments.of("null", "null"),
                Arguments.of(CharBuffer.wrap("built"), "built"),
                Arguments.of('x', "x"),
                Arguments.of((byte) -7, "-7"),
                Arguments.of((short) 7, "7"),
                Arguments.of(42, "42"),
                Arguments.of(Long.MIN_VALUE, "-9223372036854775808"),
                Arguments.of(1.5, "1.5"),
                Arguments.of(1.5f, "1.5"),
                Arguments.of(new BigInteger("12345678901234567890"), "12345678901234567890"),
                Arguments.of(new BigDecimal("1200"), "1200"),
                Arguments.of(new BigDecimal("0.00"), "0"),
                Arguments.of(new AtomicLong(9), "9"),
                Arguments.of(true, "true"),
                Arguments.of(TimeUnit.SECONDS, "SECONDS"),
                Arguments.of(Level.HIGH, "HIGH"),
                Arguments.of(
                        UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"),
                        "0f8fad5b-d9cb-469f-a165-70867728950e"));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void simpleValueIsItsText(Object value, String text) {
        assertThat(LockKeyPart.of(value, SOURCE)).isEqualTo(text);
    }

    static Stream<Arguments> datesAndTimes() {
        return Stream.of(
                Arguments.of(Instant.parse("2026-03-01T10:15:30.5Z"), "2026-03-01T10:15:30.500Z"),
                Arguments.of(LocalDate.of(2026, 3, 1), "2026-03-01"),
                Arguments.of(LocalTime.of(10, 15), "10:15"),
                Arguments.of(LocalDateTime.of(2026, 3, 1, 10, 15, 30), "2026-03-01T10:15:30"),
                Arguments.of(OffsetDateTime.parse("2026-03-01T10:15:30+01:00"), "2026-03-01T09:15:30Z"),
                Arguments.of(ZonedDateTime.parse("2026-03-01T10:15:30+01:00[Europe/Paris]"), "2026-03-01T09:15:30Z"),
                Arguments.of(Year.of(2026), "2026"),
                Arguments.of(YearMonth.of(2026, 3), "2026-03"),
                Arguments.of(MonthDay.of(2, 29), "--02-29"),
                Arguments.of(Month.MARCH, "MARCH"),
                Arguments.of(DayOfWeek.MONDAY, "MONDAY"),
                Arguments.of(Duration.ofSeconds(90), "PT1M30S"),
                Arguments.of(Period.ofMonths(14), "P14M"));
    }

    @ParameterizedTest
    @MethodSource("datesAndTimes")
    void dateOrTimeIsItsIsoText(Object value, String text) {
        assertThat(LockKeyPart.of(value, SOURCE)).isEqualTo(text);
        assertThat(LockKeyPart.of(new Entity<>(value), SOURCE)).isEqualTo(text);
        assertThat(LockKeyPart.of((LockKeyed) () -> value, SOURCE)).isEqualTo(text);
    }

    @Test
    void oneMomentNamesOneLockWhateverItsOffset() {
        OffsetDateTime utc = OffsetDateTime.parse("2026-03-01T09:15:30Z");
        assertThat(LockKeyPart.of(utc.withOffsetSameInstant(ZoneOffset.ofHours(5)), SOURCE))
                .isEqualTo(LockKeyPart.of(utc.atZoneSameInstant(ZoneId.of("America/Lima")), SOURCE))
                .isEqualTo(LockKeyPart.of(utc.toInstant(), SOURCE));
    }

    @Test
    void decimalsOfOneValueNameOneLock() {
        assertThat(LockKeyPart.of(new BigDecimal("1.0"), SOURCE))
                .isEqualTo(LockKeyPart.of(new BigDecimal("1.00"), SOURCE))
                .isEqualTo("1");
        assertThat(LockKeyPart.of(new BigDecimal("1E+2"), SOURCE)).isEqualTo("100");
    }

    @Test
    void enumConstantWithABodyIsItsNameAndNotItsText() {
        assertThat(((Object) Level.HIGH).getClass()).isNotEqualTo(Level.class);
        assertThat(Level.HIGH).hasToString("very high");
        assertThat(LockKeyPart.of(Level.HIGH, SOURCE)).isEqualTo("HIGH");
    }

    @Test
    void enumConstantWithALockKeyIsThatKey() {
        enum Region implements LockKeyed {
            EUROPE;

            @Override
            public Object lockKey() {
                return "eu";
            }
        }

        assertThat(LockKeyPart.of(Region.EUROPE, SOURCE)).isEqualTo("eu");
    }

    @Test
    void nullIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(null, SOURCE))
                .withMessage(
                        SOURCE
                                + " is null: all calls with such a value would share one lock; check the value before the lock is acquired");
    }

    @ParameterizedTest
    @MethodSource("blanks")
    void blankIsRefused(Object blank) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(blank, SOURCE))
                .withMessage(SOURCE + " is blank: all calls with such a value would share one lock; give it a text that"
                        + " names one thing");
    }

    static Stream<Object> blanks() {
        return Stream.of(
                "", "  ", "\t\n", ' ', CharBuffer.wrap(""), (LockKeyed) () -> "", new Entity<>(" "), new Ticket(""));
    }

    @ParameterizedTest
    @MethodSource("notFinite")
    void numberThatIsNotFiniteIsRefused(Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(value, SOURCE))
                .withMessage(SOURCE + " is " + value + ", which does not identify anything; use a finite number");
    }

    static Stream<Object> notFinite() {
        return Stream.of(Double.NaN, Double.POSITIVE_INFINITY, Float.NaN, Float.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @MethodSource("unnameable")
    void objectWithoutAnIdIsRefused(Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(value, SOURCE))
                .withMessage(SOURCE + " is a " + value.getClass().getName()
                        + ", which cannot name a lock: it has no lockKey() (LockKeyed), no getId() and is not a record with id();"
                        + " use one of its properties instead");
    }

    static Stream<Object> unnameable() {
        return Stream.of(
                new Object(),
                List.of("a"),
                Map.of("id", 1),
                new int[] {1},
                Optional.of("a"),
                OffsetTime.parse("10:15+01:00"),
                new VoidId(),
                new IdButNoRecord());
    }

    @Test
    void idOfAnObjectIsItsText() {
        assertThat(LockKeyPart.of(new Entity<>(42L), SOURCE)).isEqualTo("42");
        assertThat(LockKeyPart.of(new Entity<>(Level.LOW), SOURCE)).isEqualTo("LOW");
    }

    @Test
    void inheritedIdIsFound() {
        class Child extends Entity<String> {
            Child() {
                super("inherited");
            }
        }

        assertThat(LockKeyPart.of(new Child(), SOURCE)).isEqualTo("inherited");
    }

    @Test
    void idOfAClassThatIsNotPublicIsFound() {
        Object hidden = HiddenEntities.withId("hidden");

        assertThat(LockKeyPart.of(hidden, SOURCE)).isEqualTo("hidden");
    }

    @Test
    void nullIdIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(new Entity<>(null), SOURCE))
                .withMessage(SOURCE + ": " + Entity.class.getName()
                        + ".getId() is null; an object needs its id before it can be locked");
    }

    @Test
    void failingIdIsRefusedWithItsCause() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(new FailingId(), SOURCE))
                .withMessage(SOURCE + ": " + FailingId.class.getName() + ".getId() failed")
                .withCauseInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void idThatIsAnObjectIsRefused() {
        Entity<Entity<String>> nested = new Entity<>(new Entity<>("inner"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(nested, SOURCE))
                .withMessage(SOURCE + " is a " + Entity.class.getName()
                        + ", which cannot name a lock; give it text, a number, a boolean, an enum constant, a UUID, a date,"
                        + " time or duration of java.time, or an object with lockKey() (LockKeyed), getId() or a"
                        + " record's id()");
    }

    @Test
    void recordIsNamedByItsId() {
        assertThat(LockKeyPart.of(new Ticket("T-1"), SOURCE)).isEqualTo("T-1");
    }

    @Test
    void getIdOfARecordComesBeforeItsId() {
        record Both(String id) {
            @SuppressWarnings({"unused", "EffectivelyPrivate"}) // public, as a getter is
            public String getId() {
                return "getter";
            }
        }

        assertThat(LockKeyPart.of(new Both("component"), SOURCE)).isEqualTo("getter");
    }

    @Test
    void nullIdOfARecordIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(new Ticket(null), SOURCE))
                .withMessage(SOURCE + ": " + Ticket.class.getName()
                        + ".id() is null; an object needs its id before it can be locked");
    }

    @Test
    void lockKeyComesBeforeEveryId() {
        record Keyed(String id) implements LockKeyed {
            @Override
            public Object lockKey() {
                return 7;
            }

            @SuppressWarnings({"unused", "EffectivelyPrivate"}) // public, as a getter is
            public String getId() {
                return "getter";
            }
        }

        assertThat(LockKeyPart.of(new Keyed("component"), SOURCE)).isEqualTo("7");
    }

    @Test
    void nullLockKeyIsRefused() {
        LockKeyed keyed = () -> null;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(keyed, SOURCE))
                .withMessageStartingWith(SOURCE + " is null:");
    }

    @Test
    void unusableLockKeyIsRefusedDespiteAnId() {
        class Keyed extends Entity<String> implements LockKeyed {
            Keyed() {
                super("id");
            }

            @Override
            public Object lockKey() {
                return new ArrayList<>(List.of("a"));
            }
        }

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeyPart.of(new Keyed(), SOURCE))
                .withMessageStartingWith(SOURCE);
    }

    @Test
    void exceptionOfALockKeyIsNotWrapped() {
        LockKeyed keyed = () -> {
            throw new UnsupportedOperationException("no key yet");
        };

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> LockKeyPart.of(keyed, SOURCE))
                .withMessage("no key yet");
    }

    enum Level {
        LOW,
        HIGH {
            @Override
            public String toString() {
                return "very high";
            }
        }
    }

    static class Entity<T> {

        private final T id;

        Entity(T id) {
            this.id = id;
        }

        public T getId() {
            return id;
        }
    }

    record Ticket(String id) {}

    static class FailingId {
        public String getId() {
            throw new UnsupportedOperationException("detached");
        }
    }

    static class VoidId {
        public void getId() {}
    }

    static class IdButNoRecord {
        public String id() {
            return "1";
        }
    }
}
