package dev.baton.lock.annotation;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.interceptor.LockAttribute;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Converts the annotations of one method to a lock attribute. Every error names the method and the attribute. */
final class LockAttributeReader {

    private final StringValueResolver placeholders;

    LockAttributeReader(StringValueResolver placeholders) {
        this.placeholders = placeholders;
    }

    /** Returns {@code null} if the method has no lock. */
    @Nullable
    LockAttribute read(Method executed, @Nullable Class<?> targetClass) {
        AnnotatedPlace place = AnnotatedPlace.of(executed, targetClass);
        try {
            List<LockLevel> levels = new LockDeclaration(place, targetClass)
                    .annotations().stream()
                            .map(found -> new LockLevel(found, place, placeholders))
                            .toList();
            return levels.isEmpty() ? null : new Levels(levels).attribute(place, targetClass);
        } catch (AnnotationConfigurationException ex) {
            String problem = StringUtils.trimTrailingCharacter(String.valueOf(ex.getMessage()), '.');
            throw place.error("scope", problem, "Give either 'scope' or 'value', not both", ex);
        }
    }

    /**
     * The combined values of the annotations.
     *
     * @param levels the annotations, the nearest first
     */
    private record Levels(List<LockLevel> levels) {

        LockAttribute attribute(AnnotatedPlace place, @Nullable Class<?> targetClass) {
            List<String> key = first(LockLevel::key);
            LockAttribute attribute = LockAttribute.of(request(place, targetClass))
                    .key(key == null ? new String[0] : key.toArray(String[]::new))
                    .condition(text("condition"))
                    .owner(text("owner"));
            return whenBusy(attribute);
        }

        private LockRequest request(AnnotatedPlace place, @Nullable Class<?> targetClass) {
            String scope = first(LockLevel::scope);
            LockRequest request = LockRequest.of(scope == null ? defaultScope(place, targetClass) : scope)
                    .expire(first(LockLevel::expire))
                    .waitTime(first(LockLevel::waitTime))
                    .renew(single("renew", Renewal.class, Renewal.AUTO))
                    .reentrant(single("reentrant", Boolean.class, true))
                    .onLost(first(level -> level.single("onLost", OnLost.class)))
                    .namespace(first(LockLevel::namespace));
            request = duration(request, "stallTimeString", request::stallTime);
            request = duration(request, "recheckString", request::recheck);
            request = duration(request, "holdAtLeastString", request::holdAtLeast);
            checkMode();
            return request;
        }

        private String defaultScope(AnnotatedPlace place, @Nullable Class<?> targetClass) {
            Method annotated = levels.get(0).method();
            return DefaultScope.of(place.method(), annotated == null ? place.method() : annotated, targetClass);
        }

        private LockRequest duration(LockRequest request, String attribute, Function<Duration, LockRequest> change) {
            for (LockLevel level : levels) {
                Duration given = level.duration(attribute);
                if (given != null) {
                    return level.place().checked(attribute, () -> change.apply(given));
                }
            }
            return request;
        }

        private void checkMode() {
            for (LockLevel level : levels) {
                LockMode mode = level.single("mode", LockMode.class);
                if (mode == LockMode.SHARED) {
                    throw level.conflict(
                            "mode",
                            "mode = SHARED is not supported yet",
                            "Leave it out: readers then exclude each other too");
                }
                if (mode != null) {
                    return;
                }
            }
        }

        /** Uses the nearest level that has one of both attributes, because both answer the same question. */
        private LockAttribute whenBusy(LockAttribute attribute) {
            for (LockLevel level : levels) {
                WhenBusy answer = level.single("whenBusy", WhenBusy.class);
                String handler = level.onTimeout();
                if (answer != null && handler != null) {
                    throw level.conflict(
                            "onTimeout",
                            "whenBusy = " + answer + " and onTimeout = '" + handler + "' are both given",
                            "Keep one of them");
                }
                if (answer != null) {
                    return attribute.whenBusy(answer);
                }
                if (handler != null) {
                    return attribute.onTimeout(handler);
                }
            }
            return attribute;
        }

        private String text(String attribute) {
            String text = first(level -> level.text(attribute));
            return text == null ? "" : text;
        }

        private <T> T single(String attribute, Class<T> type, T otherwise) {
            T value = first(level -> level.single(attribute, type));
            return value == null ? otherwise : value;
        }

        private <T> @Nullable T first(Function<LockLevel, @Nullable T> attribute) {
            for (LockLevel level : levels) {
                T value = attribute.apply(level);
                if (value != null) {
                    return value;
                }
            }
            return null;
        }
    }
}
