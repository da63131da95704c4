// plant: lock-core/src/main/java/dev/baton/lock/support/MonitorHeld.java
// gate: checkstyle, synchronized method in lock-core | MonitorHeld\.java:.*in lock-core: a monitor
package dev.baton.lock.support;

/** Holds its monitor. */
final class MonitorHeld {

    synchronized void run() {}
}
