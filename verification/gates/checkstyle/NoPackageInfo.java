// plant: lock-core/src/main/java/dev/baton/lock/planted/NoPackageInfo.java
// gate: checkstyle, missing package-info | NoPackageInfo\.java:.*JavadocPackage
package dev.baton.lock.planted;

/** Alone in a package that says nothing about itself. */
final class NoPackageInfo {}
