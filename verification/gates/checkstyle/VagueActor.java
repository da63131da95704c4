// plant: lock-core/src/main/java/dev/baton/lock/support/VagueActor.java
// gate: checkstyle, 'who' for a thread in a comment | VagueActor\.java:\[4\].*Name the actor
// gate: checkstyle, 'nobody' for a process in a message | VagueActor\.java:\[8\].*Name the actor
package dev.baton.lock.support;

/**
 * Wakes the thread Who waits.
 */
final class VagueActor {

    static final String MESSAGE = "nobody renews it";
}
