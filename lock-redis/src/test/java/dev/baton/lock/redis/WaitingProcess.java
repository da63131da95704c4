package dev.baton.lock.redis;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a process that waits, read by an independent parser.
 *
 * @param until the time until which the process counts as alive without being heard again, in microseconds
 * @param span four of its rechecks, in microseconds
 * @param born the time since which it is known, in microseconds
 */
record WaitingProcess(long until, long span, long born, String kind, String inbox) {

    static WaitingProcess parse(@Nullable String text) {
        String[] parts = Objects.requireNonNull(text, "no process").split(" ", 5);
        return new WaitingProcess(
                Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3], parts[4]);
    }

    /** Returns the time until which a waiter of a polling process is granted a lock. */
    long asking() {
        return until - span * 11 / 16;
    }

    @Override
    public String toString() {
        return until + " " + span + " " + born + " " + kind + " " + inbox;
    }
}
