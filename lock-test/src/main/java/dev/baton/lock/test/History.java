package dev.baton.lock.test;

import dev.baton.lock.test.HistoryEvent.Kind;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What happened to the requests of a run, for {@link HistoryChecker} to judge. Each method records an event as happening now; see
 * {@link Kind} for when to call it. May be used by any thread.
 */
public final class History {

    private final Collection<HistoryEvent> events = new ConcurrentLinkedQueue<>();

    /** The request stands in the queue; whoever has the smaller arrival is to be served first. */
    public void enqueued(String process, String name, String request, long arrival) {
        record(Kind.ENQUEUED, process, name, request, arrival, 0);
    }

    /** The request holds the lock until it is told otherwise. */
    public void acquired(String process, String name, String request, long token) {
        acquired(process, name, request, token, HistoryEvent.UNTIL_TOLD);
    }

    /** The request holds the lock, at most until this {@code nanoTime}. */
    public void acquired(String process, String name, String request, long token, long until) {
        record(Kind.ACQUIRED, process, name, request, token, until);
    }

    /** The request holds the lock at most until this later {@code nanoTime}. */
    public void renewed(String process, String name, String request, long until) {
        record(Kind.RENEWED, process, name, request, 0, until);
    }

    /** The request is about to be released. */
    public void released(String process, String name, String request) {
        record(Kind.RELEASED, process, name, request, 0, 0);
    }

    /** The holder has learnt that it is not the holder. */
    public void lost(String process, String name, String request) {
        record(Kind.LOST, process, name, request, 0, 0);
    }

    /** The request waits no longer. */
    public void gaveUp(String process, String name, String request) {
        record(Kind.GAVE_UP, process, name, request, 0, 0);
    }

    /** The process is about to be killed. */
    public void died(String process) {
        record(Kind.DIED, process, "", "", 0, 0);
    }

    /** Takes over an event of its own time, such as one that another process has written. */
    public void add(HistoryEvent event) {
        events.add(event);
    }

    /** All events in the order of their times; those of one time in the order of recording. */
    public List<HistoryEvent> events() {
        return events.stream()
                .sorted(Comparator.comparingLong(HistoryEvent::nanos))
                .toList();
    }

    private void record(Kind kind, String process, String name, String request, long number, long until) {
        events.add(new HistoryEvent(System.nanoTime(), kind, process, name, request, number, until));
    }
}
