package dev.baton.lock.annotation;

import dev.baton.lock.LockNames;
import dev.baton.lock.WaitTime;
import dev.baton.lock.WhenBusy;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/**
 * One of the annotations that together declare the locks of a method. Each attribute is {@code null} if this annotation
 * does not give it.
 */
final class LockAnnotation {

    private final MergedAnnotation<?> annotation;
    private final AnnotatedPlace place;
    private final StringValueResolver placeholders;
    private final DurationReader durations;

    /** @param method the method that has the lock */
    LockAnnotation(MergedAnnotation<?> annotation, AnnotatedPlace method, StringValueResolver placeholders) {
        this.annotation = annotation;
        this.place = annotation.getSource() instanceof Class<?> type
                ? method.at("@" + annotation.getType().getSimpleName() + " of " + type.getName())
                : method;
        this.placeholders = placeholders;
        this.durations = new DurationReader(placeholders, place);
    }

    AnnotatedPlace place() {
        return place;
    }

    /** Returns the method that carries the annotation, or {@code null} if a class does. */
    @Nullable
    Method method() {
        return annotation.getSource() instanceof Method method ? method : null;
    }

    @Nullable
    String scope() {
        return checked(
                "scope",
                LockNames::checkScope,
                "Use a plain name such as 'server_access', and put what varies from call to call into 'key'");
    }

    @Nullable
    String namespace() {
        return checked(
                "namespace",
                LockNames::checkNestedNamespace,
                "Use names separated by single colons, such as 'orders' or 'shop:orders'");
    }

    @Nullable
    List<String> key() {
        String[] key = annotation.getStringArray("key");
        return key.length == 0 ? null : List.of(key);
    }

    @Nullable
    Duration expire() {
        return durations.expire(annotation.getLong("expire"), annotation.getString("expireString"));
    }

    /** Returns how many callers may run the method at a time, or {@code null} if the annotation does not say. */
    @Nullable
    Integer permits() {
        int permits = annotation.getInt("permits");
        if (permits < 0) {
            throw place.error(
                    "permits",
                    "permits = " + permits + " is negative",
                    "Write how many calls may run at a time, or leave it out for a lock");
        }
        return permits == 0 ? null : permits;
    }

    @Nullable
    WaitTime waitTime() {
        return durations.waitTime(annotation.getLong("waitTime"), annotation.getString("waitTimeString"));
    }

    @Nullable
    Duration duration(String attribute) {
        return durations.duration(attribute, annotation.getString(attribute));
    }

    /** Returns a text that is or may be SpEL. */
    @Nullable
    String text(String attribute) {
        String text = annotation.getString(attribute);
        return text.isEmpty() ? null : text;
    }

    @Nullable
    String onTimeout() {
        String text = annotation.getString("onTimeout");
        if (text.isEmpty() || text.startsWith("@")) {
            return text.isEmpty() ? null : text;
        }
        String resolved = place.resolve("onTimeout", text, placeholders);
        if (resolved.isBlank()) {
            return null;
        }
        if (!isName(resolved)) {
            throw place.error(
                    "onTimeout",
                    "'" + resolved + "' is neither the name of a method nor a call on a bean"
                            + AnnotatedPlace.origin(text, resolved),
                    "Write the name alone, as \"lastReport\", or \"@bean.method(#id)\"");
        }
        return resolved;
    }

    /** Returns what the annotation answers to a busy lock: both attributes answer the same question. */
    @Nullable
    BusyAnswer busyAnswer() {
        WhenBusy answer = single("whenBusy", WhenBusy.class);
        String handler = onTimeout();
        if (answer != null && handler != null) {
            throw place.error(
                    "onTimeout",
                    "whenBusy = " + answer + " and onTimeout = '" + handler + "' are both given",
                    "Keep one of them");
        }
        return answer == null && handler == null
                ? null
                : new BusyAnswer(answer == null ? WhenBusy.FAIL : answer, handler == null ? "" : handler);
    }

    /**
     * The answer to a busy lock.
     *
     * @param handler the name or expression of {@code onTimeout}; empty if there is none
     */
    record BusyAnswer(WhenBusy whenBusy, String handler) {}

    private static boolean isName(String text) {
        return Character.isJavaIdentifierStart(text.charAt(0))
                && text.chars().allMatch(Character::isJavaIdentifierPart);
    }

    /** Returns the only value of an attribute that is an array so that it can be left out. */
    <T> @Nullable T single(String attribute, Class<T> type) {
        Object values = values(attribute);
        int length = Array.getLength(values);
        if (length > 1) {
            throw place.error(attribute, attribute + " has " + length + " values", "Keep one of them");
        }
        return length == 0 ? null : type.cast(Array.get(values, 0));
    }

    private Object values(String attribute) {
        try {
            return annotation.getValue(attribute).orElseThrow();
        } catch (AnnotationConfigurationException ex) {
            throw ex;
        } catch (IllegalStateException ex) {
            throw place.error(
                    attribute,
                    "a composed annotation overrides " + attribute + " with an attribute of another type",
                    "Declare its attribute as boolean[]",
                    ex);
        }
    }

    private @Nullable String checked(String attribute, Check check, String action) {
        String text = annotation.getString(attribute);
        if (text.isEmpty()) {
            return null;
        }
        String resolved = place.resolve(attribute, text, placeholders);
        try {
            return check.apply(resolved);
        } catch (IllegalArgumentException ex) {
            throw place.error(attribute, ex.getMessage() + AnnotatedPlace.origin(text, resolved), action, ex);
        }
    }

    /** Returns which of these attributes the annotation gives; the first of them if none. */
    String given(List<String> attributes) {
        return attributes.stream()
                .filter(annotation::hasNonDefaultValue)
                .findFirst()
                .orElse(attributes.get(0));
    }

    /** Returns an attribute with its value, as in {@code waitTimeString = '2s'}, for messages. */
    String written(String attribute) {
        Object value = annotation.getValue(attribute).orElse("");
        if (value instanceof String text) {
            String resolved = text.contains("${") ? place.resolve(attribute, text, placeholders) : text;
            return attribute + " = '" + resolved + "'" + AnnotatedPlace.origin(text, resolved);
        }
        return attribute + " = " + (value.getClass().isArray() ? Array.get(value, 0) : value);
    }

    /** Returns a valid name, or throws an {@link IllegalArgumentException}. */
    private interface Check {
        String apply(String name);
    }
}
