package dev.baton.lock.redis;

import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.failover.Primaries;
import dev.baton.lock.redis.jedis.JedisLibrary;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.lettuce.LettuceLibrary;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.concurrent.CompletableFuture;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The servers of a store, and what differs between one server and a cluster. One object per session of the store. */
interface StoreServers extends Primaries {

    /**
     * Returns the servers of a store, without connecting. Loads the classes of a client library only if that library is
     * in use.
     *
     * @param channel the channel on which grants arrive
     */
    static StoreServers of(RedisLockStore store, StoreThreads threads, String channel) {
        ClientLibrary library = store.factory instanceof LettuceConnectionFactory lettuce
                ? new LettuceLibrary(lettuce, store.container)
                : new JedisLibrary((JedisConnectionFactory) store.factory);
        return store.isCluster()
                ? new ClusterServers(store, library, threads, channel)
                : new OneServer(store, library, threads, channel);
    }

    /** Returns what sends scripts, the same each time. */
    ScriptTransport transport();

    /** Creates the commands of the store, with the handler that the store has. */
    LockCommands commands(ScriptCommands scripts);

    /** Creates the subscription of the process, which is not started. */
    GrantSubscription subscription(GrantInbox told);

    /** Returns some of the held locks. */
    CompletableFuture<ScanPage> scan(LockCommands commands, ScanCommand command);

    /** Closes the connections that were opened. */
    void close();
}
