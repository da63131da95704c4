package dev.baton.lock.engine.ticket;

/** The reasons for which a lease is lost, in the words of the message about the loss. */
public final class LossReasons {

    public static final String ENDED = "its lease ended and was not renewed";
    public static final String UNKNOWN = "Redis no longer knew it: it had expired, or was deleted";
    public static final String REVOKED = "it was force-released, or taken by another request";
    public static final String RESTARTED =
            "the lock template was stopped and started again, which makes it another holder";

    private LossReasons() {}
}
