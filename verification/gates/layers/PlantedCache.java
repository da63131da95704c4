// plant: lock-core/src/main/java/dev/baton/lock/cache/PlantedCache.java
// gate: layers, cache -> support | LayerTests\.cacheImportsContractsOnly
package dev.baton.lock.cache;

import dev.baton.lock.support.PlantedSupport;

/** Knows the engine. */
public final class PlantedCache {

    private final PlantedSupport support = new PlantedSupport();

    @Override
    public String toString() {
        return support.toString();
    }
}
