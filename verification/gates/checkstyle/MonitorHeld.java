// plant: lock-core/src/main/java/dev/baton/lock/support/MonitorHeld.java
// gate: checkstyle, synchronized method in a library | MonitorHeld\.java:.*in a library: a monitor
package dev.baton.lock.support;

/** Holds its monitor. */
final class MonitorHeld {

    synchronized void run() {}
}
