// plant: lock-spring/src/main/java/dev/baton/lock/interceptor/PlantedInterceptor.java
// gate: layers, cycle | LayerTests\.packagesHaveNoCycles
// gate: layers, interceptor -> annotation | LayerTests\.interceptorImportsContractsOnly
package dev.baton.lock.interceptor;

import dev.baton.lock.annotation.PlantedAnnotation;

/** Closes the circle of interceptor and annotation. */
public final class PlantedInterceptor {

    private final PlantedAnnotation annotation = new PlantedAnnotation();

    @Override
    public String toString() {
        return annotation.toString();
    }
}
