package dev.baton.lock.redis.pubsub;

/** Nothing is subscribed: who waits polls. */
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
    public void listenAnew() {
        // nothing gets lost
    }

    @Override
    public void stop() {
        // nothing was begun
    }
}
