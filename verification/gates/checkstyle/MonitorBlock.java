// plant: lock-core/src/main/java/dev/baton/lock/support/MonitorBlock.java
// gate: checkstyle, synchronized block in a library | MonitorBlock\.java:.*in a library: a monitor
package dev.baton.lock.support;

/** Holds its monitor for a while. */
final class MonitorBlock {

    void run() {
        synchronized (this) {
            notifyAll();
        }
    }
}
