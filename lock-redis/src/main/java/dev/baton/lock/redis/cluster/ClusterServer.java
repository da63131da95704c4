package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One master of a cluster: its own connections, its own subscription and its own threads, so that a master that does not
 * answer holds up no other.
 */
final class ClusterServer {

    private final StoreThreads threads = new StoreThreads();
    private final ClientLibrary library;
    private final ScriptTransport transport;
    private final @Nullable GrantSubscription subscription;
    /** Makes connections that wait for replicas, or {@code null} as long as none has been needed. Guarded by the lock. */
    private TransactionConnection.@Nullable Source connections;

    /** Guards the connections; held only briefly. */
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Creates the server without connecting.
     *
     * @param library the client library for this server
     * @param failures the failures of the cluster
     * @param messages receives the messages, or {@code null} if no message is awaited
     */
    ClusterServer(ClientLibrary library, RedisFailures failures, @Nullable GrantMessages messages) {
        this.library = library;
        this.transport = library.transport(failures.at(library.factory()), threads);
        this.subscription = messages == null ? null : library.subscription(messages, null, threads);
    }

    ScriptTransport transport() {
        return transport;
    }

    /** Returns connections on which commands may wait for replicas. */
    TransactionConnection.Source connections() {
        lock.lock();
        try {
            TransactionConnection.Source made = connections;
            if (made == null) {
                made = TransactionConnection.Source.of(library.factory());
                connections = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** Sends one command and waits for the reply. */
    @Nullable
    Object ask(String command, String... args) {
        return library.ask(command, args);
    }

    void listen() {
        if (subscription != null) {
            subscription.start();
        }
    }

    boolean isListening() {
        return subscription != null && subscription.isListening();
    }

    void listenAgain() {
        if (subscription != null) {
            subscription.listenAgain();
        }
    }

    /** Ends the subscription. Waits for a second if the server does not answer. */
    void stopListening() {
        if (subscription != null) {
            subscription.stop();
        }
    }

    /** Closes the connections and stops the threads. Commands in progress fail. */
    void close() {
        stopListening();
        transport.close();
        lock.lock();
        try {
            if (connections != null) {
                connections.close();
            }
        } finally {
            lock.unlock();
        }
        library.close();
        threads.stop();
    }
}
