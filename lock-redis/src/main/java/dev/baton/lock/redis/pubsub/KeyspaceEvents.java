package dev.baton.lock.redis.pubsub;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the messages in the channels on which Redis reports changes of keys, and notifies the inbox. */
public final class KeyspaceEvents {

    /** Events that free a lock. A hand-over or a renewal is another event: {@code hset}, {@code expire}. */
    private static final Set<String> FREEING = Set.of("del", "expired");

    /**
     * Log message, written once, for a subscription that Redis refuses. Its arguments are the channel and the reason.
     */
    public static final String REFUSED =
            "Subscribing to {} failed ({}): until it succeeds, waiters find a free lock only by asking again"
                    + " (baton.recheck); give the Redis user the right '&__keyspace@*'";

    private final RedisKeys keys;
    private final String prefix;
    private final @Nullable KeyspaceSettings settings;
    private final GrantInbox inbox;

    /**
     * Creates the events.
     *
     * @param database the index of the database, which is part of the channel
     * @param settings the settings to apply whenever the connection is established, or {@code null} to leave the
     *     settings of Redis as they are
     */
    public KeyspaceEvents(RedisKeys keys, int database, @Nullable KeyspaceSettings settings, GrantInbox inbox) {
        this.keys = keys;
        this.prefix = "__keyspace@" + database + "__:";
        this.settings = settings;
        this.inbox = inbox;
    }

    public String channel(LockName name) {
        return prefix + keys.lock(name);
    }

    /**
     * Returns the channel of a key that never exists. A user that may subscribe to this channel may also subscribe to
     * the channels of the locks. Over Jedis, the refusal of a further channel would end the subscription of the others.
     */
    public String probe() {
        return prefix + keys.root() + ":lock:";
    }

    /** Handles the connection being established, possibly again. */
    public void listening() {
        if (settings != null) {
            Arrivals.tell(prefix, settings::apply);
        }
    }

    /** Handles the subscription of a channel becoming active, possibly again: earlier events went unnoticed. */
    public void listening(byte[] channel) {
        tellFreed(channel);
    }

    public void received(byte[] channel, byte[] event) {
        if (FREEING.contains(new String(event, StandardCharsets.UTF_8))) {
            tellFreed(channel);
        }
    }

    private void tellFreed(byte[] channel) {
        Arrivals.tell(prefix, () -> {
            String text = Arrivals.text(channel);
            if (!text.equals(probe())) {
                inbox.freed(name(text));
            }
        });
    }

    private LockName name(String channel) {
        if (!channel.startsWith(prefix)) {
            throw new IllegalArgumentException("'" + channel + "' is not the channel of a lock key");
        }
        return keys.lockName(channel.substring(prefix.length()));
    }
}
