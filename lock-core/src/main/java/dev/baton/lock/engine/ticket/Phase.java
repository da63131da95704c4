package dev.baton.lock.engine.ticket;

import org.jspecify.annotations.Nullable;

/** The phase of a ticket or an acquisition at one moment: waiting, granted, or over. */
public sealed interface Phase permits Phase.Waiting, Grant, Phase.Over {

    /** Waiting for the grant. */
    record Waiting() implements Phase {}

    /**
     * Over, for good.
     *
     * @param grant the grant that it had, or {@code null} if it never had one
     * @param why how it came to be over
     * @param at since when it is over, by our monotonic clock
     * @param reason the reason of a loss for people; otherwise empty
     */
    record Over(@Nullable Grant grant, Why why, long at, String reason) implements Phase {}

    /** How something came to be over. */
    enum Why {
        /** Its wait ended without a grant. */
        GIVEN_UP,
        /** Its grant was given back. */
        RELEASED,
        /**
         * Its grant was given back by a command that lets another ticket take its place. The ticket must not be ended before
         * that command: the command would find the lock lost.
         */
        REPLACED,
        /** Its grant was taken away, or ended by itself. */
        LOST
    }
}
