// plant: lock-core/src/main/java/dev/baton/lock/support/JUnitInMain.java
// gate: checkstyle, JUnit in main code | JUnitInMain\.java:.*IllegalImport
package dev.baton.lock.support;

import org.junit.jupiter.api.Assertions;

/** Brings the test library into main code. */
final class JUnitInMain {

    private final Assertions assertions;
}
