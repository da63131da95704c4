package dev.baton.lock.redis;

import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The servers of a store, and what differs between one server and a cluster. One object per session of the store. */
interface StoreServers {

    /** Returns what sends scripts, the same each time. */
    ScriptTransport transport();

    /** Creates the commands of the store, with the handler that the store has. */
    LockCommands commands(ScriptCommands scripts);

    /** Creates the subscription of the process, which is not started. */
    GrantSubscription subscription(GrantInbox told);

    /** Returns some of the held locks. */
    CompletableFuture<ScanPage> scan(LockCommands commands, ScanCommand command);

    /** Returns connections to the primary of a lock that may block, or {@code null} if the primary is not known. */
    TransactionConnection.@Nullable Source connections(LockName name);

    /** Closes the connections that were opened. */
    void close();
}
