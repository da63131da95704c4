package dev.baton.lock.redis;

import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.redis.pubsub.KeyspaceSettings;
import dev.baton.lock.redis.pubsub.NoSubscription;
import dev.baton.lock.store.GrantInbox;

/** Chooses what a process subscribes to on one server, by the wait strategy. */
final class ServerSubscription {

    private ServerSubscription() {}

    /** Creates the subscription, which is not started. */
    static GrantSubscription of(
            RedisLockStore store, ClientLibrary library, StoreThreads threads, String channel, GrantInbox told) {
        GrantMessages messages = new GrantMessages(store.keys, channel, told);
        return switch (store.strategy) {
            case GRANT -> library.subscription(messages, null, threads);
            case KEYSPACE -> library.subscription(messages, events(store, library, threads, told), threads);
            case POLLING -> new NoSubscription();
        };
    }

    private static KeyspaceEvents events(
            RedisLockStore store, ClientLibrary library, StoreThreads threads, GrantInbox told) {
        KeyspaceSettings settings = store.configureKeyspace
                ? new KeyspaceSettings(store.factory, store.failures, threads.configurer())
                : null;
        return new KeyspaceEvents(store.keys, library.database(), settings, told);
    }
}
