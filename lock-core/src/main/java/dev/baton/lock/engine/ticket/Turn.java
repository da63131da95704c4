package dev.baton.lock.engine.ticket;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Granted;
import java.util.concurrent.CompletableFuture;

/** The step in which a reader replaces a writer, until the store has confirmed it. Thread-safe. */
public final class Turn {

    /**
     * Completed when the store has confirmed the step, or the reader is over. The result is {@code false} if the reader
     * does not hold the lock.
     */
    public final CompletableFuture<Boolean> done = new CompletableFuture<>();

    private final Ticket writer;
    private final Ticket reader;
    private volatile boolean confirmed;

    Turn(Ticket writer, Ticket reader) {
        this.writer = writer;
        this.reader = reader;
    }

    /** Returns the ticket of the writer, which may still be the holder before the store has confirmed the step. */
    public Ticket writer() {
        return writer;
    }

    public Ticket reader() {
        return reader;
    }

    boolean isConfirmed() {
        return confirmed;
    }

    /** Counts a command that is about to be sent, and returns the request of the reader. */
    public Request ask(long passMillis, long now) {
        return reader.asksToReplace(true, passMillis, now);
    }

    /**
     * Records that the store lets the reader replace the writer. Returns {@code false} if the reader is over: then both
     * tickets are ended.
     *
     * @param end the local end of the lease
     */
    public boolean confirmed(long token, long end) {
        reader.seen(new Granted(token, false), 0);
        Grant grant = reader.grant();
        if (grant == null) {
            return false;
        }
        grant.token = token;
        grant.number = token;
        grant.extend(end);
        confirmed = true;
        return true;
    }
}
