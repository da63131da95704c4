package dev.baton.lock.redis;

import dev.baton.lock.store.GrantInbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What arrives in the channel of the process, and who is told. */
final class GrantMessages {

    private static final Logger log = LoggerFactory.getLogger(GrantMessages.class);

    private final RedisKeys keys;
    private final String channel;
    private final GrantInbox inbox;

    GrantMessages(RedisKeys keys, String channel, GrantInbox inbox) {
        this.keys = keys;
        this.channel = channel;
        this.inbox = inbox;
    }

    String channel() {
        return channel;
    }

    /** The subscription stands, perhaps again. */
    void listening() {
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
