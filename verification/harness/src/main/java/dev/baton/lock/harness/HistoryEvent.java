package dev.baton.lock.harness;

import java.util.Objects;

/**
 * An event of a lock request, as recorded by the process that saw the event.
 *
 * @param nanos the time by {@link System#nanoTime()}; comparable between the processes of one machine where that clock
 *     is the machine's (Linux)
 * @param kind the kind of event
 * @param process the process that recorded the event
 * @param name the lock; empty for {@link Kind#DIED}
 * @param request the acquisition, unique within the name; empty for {@link Kind#DIED}
 * @param number the fencing token of ACQUIRED, the arrival (any number that orders requests) of ENQUEUED, otherwise 0
 * @param until for ACQUIRED and RENEWED, the nanoTime after which the holder no longer treats the lock as held.
 *     {@link #UNTIL_TOLD} if only RELEASED, LOST or DIED ends the hold
 */
public record HistoryEvent(
        long nanos, Kind kind, String process, String name, String request, long number, long until) {

    /** Value of {@link #until} for a hold without an end of its own. */
    public static final long UNTIL_TOLD = Long.MAX_VALUE;

    private static final int FIELDS = 7;

    /**
     * The kinds of events. To report no false overlap, record holds shorter than they were. Record ACQUIRED after the
     * acquire has returned. Record RELEASED, GAVE_UP and DIED before the release is called, the wait ends or the
     * process is killed.
     */
    public enum Kind {
        /** The request begins to wait. */
        ASKED,
        /** The request is in the queue, with its arrival. */
        ENQUEUED,
        /** The request holds the lock. */
        ACQUIRED,
        /** The request still holds the lock, for a longer time. */
        RENEWED,
        /** The request releases the lock. */
        RELEASED,
        /** The holder has learned that it no longer holds the lock. */
        LOST,
        /** The request no longer waits: time-out, interrupt or cancellation. */
        GAVE_UP,
        /** The process is killed, which ends all its holds and waits. */
        DIED
    }

    /** Validates the components. */
    public HistoryEvent {
        Objects.requireNonNull(kind, "kind");
        requireToken(process, "process");
        requireToken(name, "name");
        requireToken(request, "request");
    }

    /** Returns the event as one line of text, for another process to {@link #parse}. */
    public String toLine() {
        return String.join("\t", "" + nanos, kind.name(), process, name, request, "" + number, "" + until);
    }

    /**
     * Returns the event that {@link #toLine()} wrote.
     *
     * @throws IllegalArgumentException if the line is not from {@link #toLine()}
     */
    public static HistoryEvent parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("Not an event of a history: '" + line + "'");
        }
        return new HistoryEvent(
                Long.parseLong(fields[0]),
                Kind.valueOf(fields[1]),
                fields[2],
                fields[3],
                fields[4],
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]));
    }

    /** Returns whether both events are of the same request. */
    boolean isOfRequest(HistoryEvent other) {
        return name.equals(other.name) && request.equals(other.request);
    }

    /** Returns whether this event ends the wait of the other event's request. */
    boolean endsWaitOf(HistoryEvent other) {
        return switch (kind) {
            case ACQUIRED, RELEASED, LOST, GAVE_UP -> isOfRequest(other);
            case DIED -> process.equals(other.process);
            case ASKED, ENQUEUED, RENEWED -> false;
        };
    }

    /** Returns whether this event ends the hold of the other event's request. */
    boolean endsHoldOf(HistoryEvent other) {
        return switch (kind) {
            case RELEASED, LOST -> isOfRequest(other);
            case DIED -> process.equals(other.process);
            case ASKED, ENQUEUED, ACQUIRED, RENEWED, GAVE_UP -> false;
        };
    }

    /** Returns a readable description, as shown for a violated rule. */
    @Override
    public String toString() {
        String detail = switch (kind) {
            case ACQUIRED -> " token " + number + (until == UNTIL_TOLD ? "" : " until " + until);
            case RENEWED -> " until " + until;
            case ENQUEUED -> " arrival " + number;
            case ASKED, RELEASED, LOST, GAVE_UP, DIED -> "";
        };
        return kind + " '" + name + "' by " + process + "/" + request + " at " + nanos + " ns" + detail;
    }

    private static void requireToken(String text, String what) {
        if (text.indexOf('\t') >= 0 || text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("The " + what + " of an event has a tab or line break: '" + text + "'");
        }
    }
}
