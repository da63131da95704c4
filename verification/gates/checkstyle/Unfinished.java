// plant: lock-core/src/main/java/dev/baton/lock/support/Unfinished.java
// gate: checkstyle, unfinished work | Unfinished\.java:.*TodoComment
package dev.baton.lock.support;

/** Leaves its work to others. */
final class Unfinished {

    // TODO everything
}
