// plant: lock-core/src/main/java/dev/baton/lock/support/MonitorBlock.java
// gate: checkstyle, synchronized block in lock-core | MonitorBlock\.java:.*in lock-core: a monitor
package dev.baton.lock.support;

/** Holds its monitor for a while. */
final class MonitorBlock {

    void run() {
        synchronized (this) {
            notifyAll();
        }
    }
}
