// plant: lock-core/src/main/java/dev/baton/lock/support/Sleeper.java
// gate: checkstyle, Thread.sleep in a library | Sleeper\.java:.*never sleep and look
package dev.baton.lock.support;

/** Sleeps and looks. */
final class Sleeper {

    void sleep() throws InterruptedException {
        Thread.sleep(10);
    }
}
