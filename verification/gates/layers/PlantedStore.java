// plant: lock-core/src/main/java/dev/baton/lock/store/PlantedStore.java
// gate: layers, store -> support | LayerTests\.storeImportsRootOnly
package dev.baton.lock.store;

import dev.baton.lock.support.LockTemplate;

/** Knows the template that uses it. */
public final class PlantedStore {

    private final Class<?> support = LockTemplate.class;

    @Override
    public String toString() {
        return support.toString();
    }
}
