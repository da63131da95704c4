package dev.baton.lock.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Holds the key values of one observation as they were given. Micrometer's own context keeps them in a map and sorts
 * them again on every read. Each handler reads them at the start, at each event and at the end. Thread-safe.
 */
final class ContextValues {

    private static final AtomicReferenceFieldUpdater<ContextValues, KeyValues> VALUES =
            AtomicReferenceFieldUpdater.newUpdater(ContextValues.class, KeyValues.class, "values");

    private volatile KeyValues values = KeyValues.empty();

    /** Adds key values. A later value replaces an earlier one of the same key. */
    void add(KeyValues more) {
        VALUES.accumulateAndGet(this, more, ContextValues::merged);
    }

    private static KeyValues merged(KeyValues known, KeyValues more) {
        return known == more || known == KeyValues.empty() || haveSameKeys(known, more) ? more : known.and(more);
    }

    /**
     * Returns whether both have the same keys, as when a convention supplies at the end the keys of the start again.
     */
    private static boolean haveSameKeys(KeyValues known, KeyValues more) {
        Iterator<KeyValue> one = known.iterator();
        Iterator<KeyValue> other = more.iterator();
        while (one.hasNext() && other.hasNext()) {
            if (!one.next().getKey().equals(other.next().getKey())) {
                return false;
            }
        }
        return !one.hasNext() && !other.hasNext();
    }

    void remove(String... keys) {
        Set<String> gone = new HashSet<>(Arrays.asList(keys));
        VALUES.updateAndGet(
                this,
                known -> KeyValues.of(known.stream()
                        .filter(value -> !gone.contains(value.getKey()))
                        .toList()));
    }

    KeyValues all() {
        return values;
    }

    @Nullable
    KeyValue find(String key) {
        for (KeyValue value : values) {
            if (value.getKey().equals(key)) {
                return value;
            }
        }
        return null;
    }
}
