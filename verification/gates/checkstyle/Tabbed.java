// plant: lock-core/src/main/java/dev/baton/lock/support/Tabbed.java
// gate: checkstyle, tabs | Tabbed\.java:.*FileTabCharacter
package dev.baton.lock.support;

/** Indented by a tab. */
final class Tabbed {

	private Tabbed() {}
}
