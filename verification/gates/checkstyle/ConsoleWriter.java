// plant: lock-core/src/main/java/dev/baton/lock/support/ConsoleWriter.java
// gate: checkstyle, System.out in a library | ConsoleWriter\.java:.*does not write to the console
package dev.baton.lock.support;

/** Writes to the console. */
final class ConsoleWriter {

    void write() {
        System.out.println("planted");
    }
}
