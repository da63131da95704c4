package dev.baton.lock.redis.pubsub;

/** Subscribes to nothing: waiters poll. */
public final class NoSubscription implements GrantSubscription {

    @Override
    public void start() {
        // there is nothing to listen to
    }

    @Override
    public boolean isListening() {
        return false;
    }

    @Override
    public void listenAgain() {
        // nothing gets lost
    }

    @Override
    public void stop() {
        // nothing was begun
    }
}
