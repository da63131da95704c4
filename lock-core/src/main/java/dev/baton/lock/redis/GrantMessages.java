package dev.baton.lock.redis;

import dev.baton.lock.store.GrantInbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What arrives in the channel of the process, and who is told. */
final class GrantMessages {

    private static final Logger log = LoggerFactory.getLogger(GrantMessages.class);

    private final RedisKeys keys;
    private final String channel;
    private final GrantInbox inbox;
    /** Whether that has been said, and has not changed since. */
    private final AtomicBoolean refused = new AtomicBoolean();

    GrantMessages(RedisKeys keys, String channel, GrantInbox inbox) {
        this.keys = keys;
        this.channel = channel;
        this.inbox = inbox;
    }

    String channel() {
        return channel;
    }

    /** A try to subscribe failed. */
    void failed(RuntimeException failure) {
        log.debug("Subscribing to {} failed", channel, failure);
        String said = RedisFailures.rootMessage(failure);
        if (said.startsWith("NOPERM") && refused.compareAndSet(false, true)) {
            log.warn(
                    "This Redis user may not subscribe to {} ({}): nobody here is told of a grant, and a waiter gets the lock"
                            + " only when it asks the next time, up to baton.recheck after the release. Give the user all"
                            + " rights that Baton needs, +subscribe and &{} among them",
                    channel,
                    said,
                    keys.root() + ":*");
        }
    }

    /** The subscription stands, perhaps again. */
    void listening() {
        refused.set(false);
        inbox.listening();
    }

    /** {@code grant 1 <id> <token> <lock key>}; of other messages, which newer versions may send, nothing is known. */
    void received(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        String[] part = text.split(" ", 5);
        if (part.length != 5 || !part[0].equals("grant") || !part[1].equals("1")) {
            log.debug("Unknown message in {}: {}", channel, text);
            return;
        }
        inbox.granted(List.of(keys.lockName(part[4])), part[2], Long.parseLong(part[3]));
    }
}
