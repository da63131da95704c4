package dev.baton.lock.annotation;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.interceptor.DeclaredLock;
import dev.baton.lock.interceptor.LockAttribute;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Converts the annotations of one method to one lock attribute. Every error names the method and the attribute. */
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
                            .map(found -> LockLevel.of(found, place, placeholders))
                            .toList();
            return levels.isEmpty()
                    ? null
                    : new Levels(levels).attribute(new DeclaredLockReader(levels, place, targetClass).read());
        } catch (AnnotationConfigurationException ex) {
            String problem = StringUtils.trimTrailingCharacter(String.valueOf(ex.getMessage()), '.');
            throw place.error("scope", problem, "Give either 'scope' or 'value', not both", ex);
        }
    }

    /**
     * The combined values of the annotations.
     *
     * @param levels the annotations by place, the nearest first
     */
    private record Levels(List<LockLevel> levels) {

        LockAttribute attribute(List<DeclaredLock> locks) {
            LockAttribute attribute =
                    locks.stream().map(Levels::alone).reduce(LockAttribute::and).orElseThrow();
            return whenBusy(attribute
                    .request(request(attribute.request()))
                    .condition(text("condition"))
                    .owner(text("owner")));
        }

        private static LockAttribute alone(DeclaredLock lock) {
            return LockAttribute.of(LockRequest.of(lock.scope()).mode(lock.mode()))
                    .key(lock.key().toArray(String[]::new));
        }

        private LockRequest request(LockRequest locks) {
            LockRequest request = locks.expire(first(LockAnnotation::expire, "expire", "expireString"))
                    .waitTime(first(LockAnnotation::waitTime, "waitTime", "waitTimeString"))
                    .renew(single("renew", Renewal.class, Renewal.AUTO))
                    .reentrant(single("reentrant", Boolean.class, true))
                    .onLost(first(annotation -> annotation.single("onLost", OnLost.class), "onLost"))
                    .onStuck(first(annotation -> annotation.single("onStuck", OnStuck.class), "onStuck"))
                    .namespace(first(LockAnnotation::namespace, "namespace"));
            request = duration(request, "stallTimeString", request::stallTime);
            request = duration(request, "recheckString", request::recheck);
            request = duration(request, "holdAtLeastString", request::holdAtLeast);
            return permits(waiting(request));
        }

        private LockRequest permits(LockRequest request) {
            for (LockLevel level : levels) {
                Integer permits = level.value(LockAnnotation::permits, List.of("permits"));
                if (permits != null) {
                    checkOwner(level.place());
                    return level.place().checked("permits", () -> request.permits(permits));
                }
            }
            return request;
        }

        /** Rejects what makes a difference for the owner of a lock only. */
        private void checkOwner(AnnotatedPlace place) {
            if (!text("owner").isEmpty()) {
                throw place.error(
                        "permits",
                        "permits and owner exclude each other, because each call is an owner of its own",
                        "Leave owner out");
            }
            if (first(annotation -> annotation.single("reentrant", Boolean.class), "reentrant") != null) {
                throw place.error(
                        "permits",
                        "permits and reentrant exclude each other, because each call takes a permit of its own",
                        "Leave reentrant out");
            }
        }

        /** An interval counts up to the nearest level that says not to poll: farther levels are for calls that do. */
        private LockRequest waiting(LockRequest request) {
            LockRequest waiting = request.waitStrategy(
                    first(annotation -> annotation.single("waitStrategy", WaitStrategy.class), "waitStrategy"));
            for (LockLevel level : levels) {
                Duration interval = level.value(
                        annotation -> annotation.duration("pollingIntervalString"), List.of("pollingIntervalString"));
                if (interval != null) {
                    return level.place().checked("pollingIntervalString", () -> waiting.pollingInterval(interval));
                }
                WaitStrategy strategy = waitStrategy(level);
                if (strategy != null && strategy != WaitStrategy.POLLING) {
                    return waiting;
                }
            }
            return waiting;
        }

        private static @Nullable WaitStrategy waitStrategy(LockLevel level) {
            return level.value(
                    annotation -> annotation.single("waitStrategy", WaitStrategy.class), List.of("waitStrategy"));
        }

        private LockRequest duration(LockRequest request, String attribute, Function<Duration, LockRequest> change) {
            for (LockLevel level : levels) {
                Duration given = level.value(annotation -> annotation.duration(attribute), List.of(attribute));
                if (given != null) {
                    return level.place().checked(attribute, () -> change.apply(given));
                }
            }
            return request;
        }

        private LockAttribute whenBusy(LockAttribute attribute) {
            LockAnnotation.BusyAnswer answer = first(LockAnnotation::busyAnswer, "whenBusy", "onTimeout");
            return answer == null
                    ? attribute
                    : attribute.whenBusy(answer.whenBusy()).onTimeout(answer.handler());
        }

        private String text(String attribute) {
            String text = first(annotation -> annotation.text(attribute), attribute);
            return text == null ? "" : text;
        }

        private <T> T single(String attribute, Class<T> type, T otherwise) {
            T value = first(annotation -> annotation.single(attribute, type), attribute);
            return value == null ? otherwise : value;
        }

        /** Returns the value of the nearest place that gives one. */
        private <T> @Nullable T first(Function<LockAnnotation, @Nullable T> read, String... attributes) {
            for (LockLevel level : levels) {
                T value = level.value(read, List.of(attributes));
                if (value != null) {
                    return value;
                }
            }
            return null;
        }
    }
}
