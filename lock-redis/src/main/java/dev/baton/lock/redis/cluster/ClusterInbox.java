package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes at each master of a cluster. A script counts the receivers of a message at the server that runs it, so the
 * count is exact on each version of Redis, and a waiter whose process has just ended is passed in the same step.
 */
final class ClusterInbox implements GrantSubscription {

    private final Cluster cluster;
    private final @Nullable GrantMessages messages;

    /**
     * Creates the subscription, which is not started.
     *
     * @param messages receives the messages, or {@code null} if no message is awaited
     */
    ClusterInbox(Cluster cluster, @Nullable GrantMessages messages) {
        this.cluster = cluster;
        this.messages = messages;
    }

    @Override
    public void start() {
        cluster.start(messages);
    }

    @Override
    public boolean isListening() {
        return cluster.isListening();
    }

    @Override
    public void listenAgain() {
        cluster.listenAgain();
    }

    @Override
    public void stop() {
        cluster.stopListening();
    }
}
