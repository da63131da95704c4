// plant: lock-core/src/main/java/dev/baton/lock/support/ArraysCompared.java
// gate: Error Prone, a check that is an error | ArraysCompared\.java:.*\[ArrayEquals\]
package dev.baton.lock.support;

/** Compares identities where contents are meant. */
final class ArraysCompared {

    private ArraysCompared() {}

    static boolean same(byte[] one, byte[] other) {
        return one.equals(other);
    }
}
