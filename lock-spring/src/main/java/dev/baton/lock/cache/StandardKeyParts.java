package dev.baton.lock.cache;

import dev.baton.lock.LockKeyPart;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/** Implements {@link CacheKeyParts#standard()}. */
final class StandardKeyParts {

    /**
     * Read by reflection: a {@code SimpleKey} has no accessor, and its text does not distinguish two parameters from
     * one with a comma.
     */
    private static final @Nullable Field PARAMS = ReflectionUtils.findField(SimpleKey.class, "params", Object[].class);

    private StandardKeyParts() {}

    static List<?> of(String cacheName, Object key) {
        List<String> parts = new ArrayList<>(2);
        try {
            if (key instanceof SimpleKey simple) {
                for (Object param : params(simple)) {
                    add(param, cacheName, parts);
                }
            } else {
                add(key, cacheName, parts);
            }
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(
                    ex.getMessage() + "; or give @Cacheable a key made of such values, or LockingCacheManager a"
                            + " CacheKeyParts of your own",
                    ex);
        }
        return parts;
    }

    private static void add(@Nullable Object value, String cacheName, List<String> parts) {
        if (value instanceof List<?> list) {
            addAll(list, cacheName, parts);
        } else if (value != null && value.getClass().isArray()) {
            addAll(Arrays.asList(ObjectUtils.toObjectArray(value)), cacheName, parts);
        } else if (value == null) {
            parts.add("(null)");
        } else if (value instanceof CharSequence text && text.toString().isBlank()) {
            parts.add("(blank)");
        } else {
            parts.add(LockKeyPart.of(value, "key of cache '" + cacheName + "'"));
        }
    }

    private static void addAll(List<?> values, String cacheName, List<String> parts) {
        if (values.isEmpty()) {
            parts.add("(empty)");
        }
        for (Object value : values) {
            add(value, cacheName, parts);
        }
    }

    private static @Nullable Object[] params(SimpleKey key) {
        if (PARAMS == null) {
            throw new IllegalArgumentException(
                    "the parameters of a " + SimpleKey.class.getName() + " cannot be read in this version of Spring");
        }
        ReflectionUtils.makeAccessible(PARAMS);
        Object params = ReflectionUtils.getField(PARAMS, key);
        return params == null ? new Object[0] : (Object[]) params;
    }
}
