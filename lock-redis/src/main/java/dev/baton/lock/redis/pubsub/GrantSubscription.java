package dev.baton.lock.redis.pubsub;

import dev.baton.lock.store.LockName;

/**
 * The one subscription of the process, started in the background and kept alive; one implementation per client library.
 */
public interface GrantSubscription {

    /** Begins to subscribe, and retries until the subscription is active. */
    void start();

    /** Returns whether the subscription is active, as far as is known. */
    boolean isListening();

    /** Subscribes again in the background, although the subscription seems to be active. */
    void listenAgain();

    /** Ends the subscription. Returns when the subscription has ended, or after a second if Redis does not answer. */
    void stop();

    /** Reports changes of this lock too, as soon as possible. The inbox is notified when reporting begins. */
    default void watch(LockName name) {
        throw new IllegalStateException("changes of '" + name + "' cannot be watched with this wait strategy");
    }

    /** Stops reporting changes of this lock. */
    default void unwatch(LockName name) {
        throw new IllegalStateException("changes of '" + name + "' cannot be watched with this wait strategy");
    }
}
