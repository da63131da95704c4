// plant: lock-core/src/main/java/dev/baton/lock/support/LostJavadoc.java
// gate: checkstyle, Javadoc where no tool reads it | LostJavadoc\.java:.*InvalidJavadocPosition
package dev.baton.lock.support;

/** Has a second comment in a place of no use. */
final class LostJavadoc {

    void run() {
        /** Says what no reader sees. */
        int count = 0;
    }
}
