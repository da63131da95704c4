// plant: lock-core/src/main/java/dev/baton/lock/support/BrokenLink.java
// gate: doclint | BrokenLink\.java:.*reference not found
package dev.baton.lock.support;

/** Links to {@link Nowhere}. */
final class BrokenLink {

    private BrokenLink() {}
}
