// plant: lock-core/src/main/java/dev/baton/lock/stray/PlantedStray.java
// gate: layers, a package without a layer | LayerTests\.everyPackageIsListedHere
package dev.baton.lock.stray;

/** Lives in a package that no layer knows. */
public final class PlantedStray {}
