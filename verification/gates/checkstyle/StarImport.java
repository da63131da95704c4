// plant: lock-core/src/main/java/dev/baton/lock/support/StarImport.java
// gate: checkstyle, star import | StarImport\.java:.*AvoidStarImport
package dev.baton.lock.support;

import java.util.*;

/** Imports a whole package. */
final class StarImport {

    private List<String> texts = List.of();
}
