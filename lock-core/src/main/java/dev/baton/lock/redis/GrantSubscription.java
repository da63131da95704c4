package dev.baton.lock.redis;

/** The one subscription of the process, begun in the background and kept alive; one implementation per client library. */
interface GrantSubscription {

    /** Begins to subscribe, and tries again until it stands. */
    void start();

    /** Whether it stands, as far as is known. */
    boolean isListening();

    /** Subscribes anew, in the background, although it seems to stand. */
    void listenAnew();

    /** Returns when it has ended, or after a second if Redis does not answer. */
    void stop();
}
