package dev.baton.lock.test;

import java.util.Objects;

/**
 * Something that happened to a request for a lock, as the process that saw it tells it.
 *
 * @param nanos when, by {@link System#nanoTime()}: comparable between the processes of one machine where that clock is the
 *     machine's (Linux)
 * @param kind what happened
 * @param process who tells it
 * @param name the lock; empty for {@link Kind#DIED}
 * @param request which acquisition, unique within the name; empty for {@link Kind#DIED}
 * @param number the fencing token of ACQUIRED, the arrival (any number that orders requests) of ENQUEUED, else 0
 * @param until the nanoTime after which the holder no longer believes that it holds, for ACQUIRED and RENEWED;
 *     {@link #UNTIL_TOLD} if only RELEASED, LOST or DIED ends it
 */
public record HistoryEvent(
        long nanos, Kind kind, String process, String name, String request, long number, long until) {

    /** No end of its own: as {@link #until}. */
    public static final long UNTIL_TOLD = Long.MAX_VALUE;

    private static final int FIELDS = 7;

    /**
     * What happened. To be never wrong about an overlap, tell less holding than there was: ACQUIRED after the acquire has
     * returned; RELEASED, GAVE_UP and DIED before the release is called, the wait ends or the process is killed.
     */
    public enum Kind {
        /** Begins to wait. */
        ASKED,
        /** Stands in the queue, with its arrival. */
        ENQUEUED,
        /** Holds the lock. */
        ACQUIRED,
        /** Still holds it, for longer. */
        RENEWED,
        /** Gives it back. */
        RELEASED,
        /** Has learnt that it is no longer the holder. */
        LOST,
        /** Waits no longer: time-out, interrupt, cancellation. */
        GAVE_UP,
        /** The process has been killed, with all that it held and waited for. */
        DIED
    }

    /** Validates. */
    public HistoryEvent {
        Objects.requireNonNull(kind, "kind");
        requireToken(process, "process");
        requireToken(name, "name");
        requireToken(request, "request");
    }

    /** One line of text, for another process to {@link #parse}. */
    public String toLine() {
        return String.join("\t", "" + nanos, kind.name(), process, name, request, "" + number, "" + until);
    }

    /**
     * The event that {@link #toLine()} wrote.
     *
     * @throws IllegalArgumentException if it did not
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

    /** Whether both are about the same request. */
    boolean isOfRequest(HistoryEvent other) {
        return name.equals(other.name) && request.equals(other.request);
    }

    /** Whether the other event's request waits no longer now that this has happened. */
    boolean endsWaitOf(HistoryEvent other) {
        return switch (kind) {
            case ACQUIRED, RELEASED, LOST, GAVE_UP -> isOfRequest(other);
            case DIED -> process.equals(other.process);
            case ASKED, ENQUEUED, RENEWED -> false;
        };
    }

    /** Whether the other event's request holds no longer now that this has happened. */
    boolean endsHoldOf(HistoryEvent other) {
        return switch (kind) {
            case RELEASED, LOST -> isOfRequest(other);
            case DIED -> process.equals(other.process);
            case ASKED, ENQUEUED, ACQUIRED, RENEWED, GAVE_UP -> false;
        };
    }

    /** For people: what a violated rule shows. */
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
