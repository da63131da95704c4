// plant: lock-core/src/main/java/dev/baton/lock/support/Unformatted.java
// gate: spotless, Java | Unformatted\.java
package dev.baton.lock.support;

import java.util.List;

/** Badly laid out, and with an import of no use. */
public final class Unformatted { private Unformatted () {} }
