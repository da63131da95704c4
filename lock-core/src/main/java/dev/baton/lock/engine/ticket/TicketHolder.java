package dev.baton.lock.engine.ticket;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives what becomes of a ticket: one acquisition, or a group of acquisitions that share the ticket. Called on any
 * thread, also on that of the subscription, so an implementation neither waits nor sends commands.
 */
public interface TicketHolder {

    /**
     * Offers the lock. A loss of the ticket may have been reported before this call.
     *
     * @return whether the lock is taken; {@code false} if no acquisition wants it any more, so that the caller ends the
     *     ticket
     */
    boolean granted(Ticket ticket);

    /**
     * Reports that waiting makes no sense any more. The ticket waits until its holder gives it up.
     *
     * @param outcome the reason, never {@link Outcome#GRANTED}
     */
    void failed(Ticket ticket, Outcome outcome);

    /** Reports that the ticket was lost. Its phase says when and why. Calls after the first have no effect. */
    void lost(Ticket ticket);

    /** Returns the acquisition that holds the lock by the ticket, or {@code null} if none does. */
    default @Nullable Acquisition holding(Ticket ticket) {
        return null;
    }

    /** Returns the acquisitions that wait by the ticket, first come first. */
    List<Acquisition> waiting(Ticket ticket);
}
