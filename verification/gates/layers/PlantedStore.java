// plant: lock-core/src/main/java/dev/baton/lock/store/PlantedStore.java
// gate: layers, store -> support | LayerTests\.storeImportsRootOnly
package dev.baton.lock.store;

import dev.baton.lock.support.PlantedSupport;

/** Knows who uses it. */
public final class PlantedStore {

    private final PlantedSupport support = new PlantedSupport();

    @Override
    public String toString() {
        return support.toString();
    }
}
