package dev.baton.lock.harness;

import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records the events of the requests of a run, for {@link HistoryChecker} to check. Each recording method except
 * {@link #add} records an event with the current time; {@link Kind} states when to call each method. Thread-safe.
 */
public final class History {

    private final Collection<HistoryEvent> events = new ConcurrentLinkedQueue<>();

    /** Records that the request is in the queue. The request with the smaller arrival must be served first. */
    public void enqueued(String process, String name, String request, long arrival) {
        record(Kind.ENQUEUED, process, name, request, arrival, 0);
    }

    /** Records that the request holds the lock until another event ends the hold. */
    public void acquired(String process, String name, String request, long token) {
        acquired(process, name, request, token, HistoryEvent.UNTIL_TOLD);
    }

    /** Records that the request holds the lock, at most until this {@code nanoTime}. */
    public void acquired(String process, String name, String request, long token, long until) {
        record(Kind.ACQUIRED, process, name, request, token, until);
    }

    /** Records that the request now holds the lock at most until this later {@code nanoTime}. */
    public void renewed(String process, String name, String request, long until) {
        record(Kind.RENEWED, process, name, request, 0, until);
    }

    /** Records that the request is about to be released. */
    public void released(String process, String name, String request) {
        record(Kind.RELEASED, process, name, request, 0, 0);
    }

    /** Records that the holder has learned that it no longer holds the lock. */
    public void lost(String process, String name, String request) {
        record(Kind.LOST, process, name, request, 0, 0);
    }

    /** Records that the request no longer waits. */
    public void gaveUp(String process, String name, String request) {
        record(Kind.GAVE_UP, process, name, request, 0, 0);
    }

    /** Records that the process is about to be killed. */
    public void died(String process) {
        record(Kind.DIED, process, "", "", 0, 0);
    }

    /** Adds an event that has its own time, such as an event that another process has written. */
    public void add(HistoryEvent event) {
        events.add(event);
    }

    /** Returns all events in the order of their times. Events with the same time are in the order of recording. */
    public List<HistoryEvent> events() {
        return events.stream()
                .sorted(Comparator.comparingLong(HistoryEvent::nanos))
                .toList();
    }

    private void record(Kind kind, String process, String name, String request, long number, long until) {
        events.add(new HistoryEvent(System.nanoTime(), kind, process, name, request, number, until));
    }
}
