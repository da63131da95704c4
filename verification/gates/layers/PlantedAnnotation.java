// plant: lock-spring/src/main/java/dev/baton/lock/annotation/PlantedAnnotation.java
// gate: layers, annotation -> support | LayerTests\.annotationImportsRootAndTheAttributeItBecomes
package dev.baton.lock.annotation;

import dev.baton.lock.support.LockTemplate;

/** Reaches over the contracts to the engine. */
public final class PlantedAnnotation {

    private final Class<?> support = LockTemplate.class;

    @Override
    public String toString() {
        return support.toString();
    }
}
