package dev.baton.lock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts a value to its text in a lock name, and rejects a value without such a text.
 *
 * <p>Accepts text, numbers, booleans, enum constants, {@link UUID}s, and the dates, times and durations of
 * {@code java.time}. Also accepts objects that have one of these as {@link LockKeyed#lockKey()}, {@code getId()} or, in
 * a record, {@code id()}. Rejects everything else, including {@code null} and blank text. A default {@code toString}
 * would give every call a lock of its own, and "null" would give all calls the same lock.
 *
 * <p>Dates and times have their ISO text. An {@link OffsetDateTime} and a {@link ZonedDateTime} have the text of their
 * instant: one moment names one lock, whatever the offset. An {@link java.time.OffsetTime} is rejected, because it is
 * no moment without its day.
 */
public final class LockKeyPart {

    private static final int LONGEST_NUMBER = 1_000;

    /** Types whose equal values have the same text, and whose other values have other texts. */
    private static final Set<Class<?>> WITH_ISO_TEXT = Set.of(
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            Year.class,
            YearMonth.class,
            MonthDay.class,
            Duration.class,
            Period.class);

    private LockKeyPart() {}

    /**
     * Returns the text of a key part.
     *
     * @param value the value, rejected if {@code null}
     * @param source the origin of the value, for the message: {@code "key '#order.id' of OrderService.close"}
     * @throws IllegalArgumentException if the value has no text of its own; the message names the source and the remedy
     */
    public static String of(@Nullable Object value, String source) {
        String text = simple(value instanceof LockKeyed keyed ? keyed.lockKey() : value, source);
        if (text == null && value != null && !(value instanceof LockKeyed)) {
            text = simple(id(value, source), source);
        }
        if (text == null) {
            throw new IllegalArgumentException(source + " is a "
                    + (value == null ? "null" : value.getClass().getName())
                    + ", which cannot name a lock; give it text, a number, a boolean, an enum constant, a UUID, a"
                    + " date, time or duration of java.time, or an object with lockKey() (LockKeyed), getId() or a"
                    + " record's id()");
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException(source
                    + " is blank: all calls with such a value would share one lock; give it a text that names one"
                    + " thing");
        }
        if (!LockNames.isWhole(text)) {
            throw new IllegalArgumentException(source
                    + " contains half of a surrogate pair, which Redis could not tell from others; cut texts between"
                    + " whole characters");
        }
        return text;
    }

    /**
     * Returns whether {@link #of} would return the text unchanged. The caller can then skip building the source, which
     * is needed for messages only.
     */
    static boolean isUsable(String text) {
        return !text.isBlank() && LockNames.isWhole(text);
    }

    /** Returns the text, or {@code null} if the value is not of a simple type. */
    private static @Nullable String simple(@Nullable Object value, String source) {
        if (value == null) {
            throw isNull(source);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigDecimal decimal) {
            return plain(decimal, source);
        }
        if (value instanceof Double || value instanceof Float) {
            return finite((Number) value, source);
        }
        if (value instanceof CharSequence
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof UUID
                || WITH_ISO_TEXT.contains(value.getClass())) {
            return value.toString();
        }
        return moment(value);
    }

    /** Returns the instant of a date and time with an offset, or {@code null} if the value is none. */
    private static @Nullable String moment(Object value) {
        if (value instanceof OffsetDateTime time) {
            return time.toInstant().toString();
        }
        return value instanceof ZonedDateTime time ? time.toInstant().toString() : null;
    }

    private static String plain(BigDecimal value, String source) {
        if (Math.abs((long) value.scale()) > LONGEST_NUMBER) {
            throw new IllegalArgumentException(source + " is a number of more than " + LONGEST_NUMBER
                    + " digits; use a shorter one that identifies what is locked");
        }
        return value.stripTrailingZeros().toPlainString();
    }

    static IllegalArgumentException isNull(String source) {
        return new IllegalArgumentException(
                source
                        + " is null: all calls with such a value would share one lock; check the value before the lock is acquired");
    }

    private static String finite(Number value, String source) {
        if (!Double.isFinite(value.doubleValue())) {
            throw new IllegalArgumentException(
                    source + " is " + value + ", which does not identify anything; use a finite number");
        }
        return value.toString();
    }

    private static Object id(Object value, String source) {
        Class<?> type = value.getClass();
        Method method = accessor(type, "getId");
        if (method == null && type.isRecord()) {
            method = accessor(type, "id");
        }
        if (method == null) {
            throw new IllegalArgumentException(source + " is a " + type.getName()
                    + ", which cannot name a lock: it has no lockKey() (LockKeyed), no getId() and is not a record with"
                    + " id(); use one of its properties instead");
        }
        try {
            method.trySetAccessible();
            return requireId(method.invoke(value), source, type, method);
        } catch (IllegalAccessException ex) {
            throw new IllegalArgumentException(
                    source + ": " + type.getName() + "." + method.getName() + "() cannot be called; make it accessible",
                    ex);
        } catch (InvocationTargetException ex) {
            throw new IllegalArgumentException(
                    source + ": " + type.getName() + "." + method.getName() + "() failed", ex.getTargetException());
        }
    }

    private static Object requireId(@Nullable Object id, String source, Class<?> type, Method method) {
        if (id == null) {
            throw new IllegalArgumentException(source + ": " + type.getName() + "." + method.getName()
                    + "() is null; an object needs its id before it can be locked");
        }
        return id;
    }

    private static @Nullable Method accessor(Class<?> type, String name) {
        try {
            Method method = type.getMethod(name);
            return method.getReturnType() == void.class ? null : method;
        } catch (NoSuchMethodException ex) {
            return null;
        }
    }
}
