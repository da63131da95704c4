// plant: lock-core/src/main/java/dev/baton/lock/support/IdentityOfBoxes.java
// gate: Error Prone, a check that is a warning | IdentityOfBoxes\.java:.*\[BoxedPrimitiveEquality\]
package dev.baton.lock.support;

/** Compares boxes where numbers are meant. */
final class IdentityOfBoxes {

    private IdentityOfBoxes() {}

    static boolean same(Long one, Long other) {
        return one == other;
    }
}
