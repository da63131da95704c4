// plant: lock-core/src/main/java/dev/baton/lock/support/TooLong.java
// gate: checkstyle, file length | TooLong\.java:.*FileLength
// pad: 501
package dev.baton.lock.support;

/** Padded to 501 lines when it is planted. */
final class TooLong {}
