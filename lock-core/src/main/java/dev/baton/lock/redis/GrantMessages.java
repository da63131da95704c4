package dev.baton.lock.redis;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

    /**
     * {@code grant 1 <id> <token> <lock key>}, or for several locks {@code grant 2 <id> <token>} and for each the number of
     * bytes of its key and the key, for a key may have any character. {@code revoke 1 <id> <token> <lock key>} takes a lock
     * away. Of other messages, which newer versions may send, nothing is known.
     */
    void received(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        String[] part = text.split(" ", 5);
        boolean grant = part.length == 5 && part[0].equals("grant");
        if (grant && part[1].equals("1")) {
            inbox.granted(List.of(keys.lockName(part[4])), part[2], Long.parseLong(part[3]));
        } else if (grant && part[1].equals("2")) {
            inbox.granted(names(part[4].getBytes(StandardCharsets.UTF_8)), part[2], Long.parseLong(part[3]));
        } else if (part.length == 5 && part[0].equals("revoke") && part[1].equals("1")) {
            inbox.revoked(List.of(keys.lockName(part[4])), part[2], Long.parseLong(part[3]));
        } else {
            log.debug("Unknown message in {}: {}", channel, text);
        }
    }

    private List<LockName> names(byte[] list) {
        List<LockName> names = new ArrayList<>();
        int at = 0;
        while (at < list.length) {
            int length = 0;
            while (list[at] != ' ') {
                length = 10 * length + list[at++] - '0';
            }
            names.add(keys.lockName(new String(list, at + 1, length, StandardCharsets.UTF_8)));
            at += length + 2;
        }
        return names;
    }
}
