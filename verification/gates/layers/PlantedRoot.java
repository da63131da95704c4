// plant: lock-core/src/main/java/dev/baton/lock/PlantedRoot.java
// gate: layers, root -> store | LayerTests\.rootImportsNoOtherPackageOfOurs
package dev.baton.lock;

import dev.baton.lock.store.PlantedStore;

/** A contract that knows an implementation. */
public final class PlantedRoot {

    private final PlantedStore store = new PlantedStore();

    @Override
    public String toString() {
        return store.toString();
    }
}
