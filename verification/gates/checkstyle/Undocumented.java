// plant: lock-core/src/main/java/dev/baton/lock/support/Undocumented.java
// gate: checkstyle, Javadoc on public types | Undocumented\.java:.*MissingJavadocType
package dev.baton.lock.support;

public final class Undocumented {}
