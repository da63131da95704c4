// plant: lock-core/src/test/java/dev/baton/lock/SwitchedOffTests.java
// gate: checkstyle, test switched off | SwitchedOffTests\.java:.*IllegalImport
package dev.baton.lock;

import org.junit.jupiter.api.Disabled;

@Disabled
class SwitchedOffTests {}
