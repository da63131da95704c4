// plant: lock-core/src/main/java/dev/baton/lock/support/WideLine.java
// gate: checkstyle, line length | WideLine\.java:.*LineLength
package dev.baton.lock.support;

/** A line of text that the formatter leaves as long as it is, which cannot be read beside another file and which wraps in every single review. */
final class WideLine {}
