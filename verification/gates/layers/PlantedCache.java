// plant: lock-spring/src/main/java/dev/baton/lock/cache/PlantedCache.java
// gate: layers, cache -> support | LayerTests\.cacheImportsContractsOnly
package dev.baton.lock.cache;

import dev.baton.lock.support.LockTemplate;

/** Knows the engine. */
public final class PlantedCache {

    private final Class<?> support = LockTemplate.class;

    @Override
    public String toString() {
        return support.toString();
    }
}
