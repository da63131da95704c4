package dev.baton.lock.redis.pubsub;

import dev.baton.lock.store.LockName;

/** The one subscription of the process, begun in the background and kept alive; one implementation per client library. */
public interface GrantSubscription {

    /** Begins to subscribe, and tries again until it stands. */
    void start();

    /** Whether it stands, as far as is known. */
    boolean isListening();

    /** Subscribes anew, in the background, although it seems to stand. */
    void listenAnew();

    /** Returns when it has ended, or after a second if Redis does not answer. */
    void stop();

    /** Notices changes of this lock too, as soon as it can; the inbox is told since when. */
    default void watch(LockName name) {
        throw new IllegalStateException("changes of '" + name + "' are not noticed: the wait strategy is another");
    }

    /** Notices no changes of this lock any more. */
    default void unwatch(LockName name) {
        throw new IllegalStateException("changes of '" + name + "' are not noticed: the wait strategy is another");
    }
}
