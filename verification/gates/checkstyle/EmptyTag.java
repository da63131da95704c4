// plant: lock-core/src/main/java/dev/baton/lock/support/EmptyTag.java
// gate: checkstyle, empty Javadoc tag | EmptyTag\.java:.*NonEmptyAtclauseDescription
package dev.baton.lock.support;

/** Has a tag that says nothing. */
final class EmptyTag {

    /**
     * Takes a count.
     *
     * @param count
     */
    void take(int count) {}
}
