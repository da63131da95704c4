package dev.baton.lock.redis.pubsub;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the messages in the channel of the process, and notifies the inbox. */
public final class GrantMessages {

    private static final Logger log = LoggerFactory.getLogger(GrantMessages.class);

    /** A token that Redis never assigns. */
    private static final long UNREADABLE = 0;

    private final RedisKeys keys;
    private final String channel;
    private final GrantInbox inbox;
    private final Predicate<byte[]> isNew;
    /** Whether a refusal has been logged since the subscription was last active. */
    private final AtomicBoolean refused = new AtomicBoolean();

    public GrantMessages(RedisKeys keys, String channel, GrantInbox inbox) {
        this(keys, channel, inbox, message -> true);
    }

    /** Creates messages of which several copies may arrive, perhaps on several threads. Only the first copy counts. */
    public static GrantMessages withCopies(RedisKeys keys, String channel, GrantInbox inbox) {
        return new GrantMessages(keys, channel, inbox, new RecentMessages(System::nanoTime)::isFirst);
    }

    private GrantMessages(RedisKeys keys, String channel, GrantInbox inbox, Predicate<byte[]> isNew) {
        this.keys = keys;
        this.channel = channel;
        this.inbox = inbox;
        this.isNew = isNew;
    }

    public String channel() {
        return channel;
    }

    /** Handles a failed attempt to subscribe. */
    public void failed(RuntimeException failure) {
        log.debug("Subscribing to {} failed", channel, failure);
        String said = RedisFailures.rootMessage(failure);
        if (said.startsWith("NOPERM") && refused.compareAndSet(false, true)) {
            log.warn(
                    "This Redis user may not subscribe to {} ({}): this process receives no grants by message, and a waiter gets the lock"
                            + " only when it asks again, up to baton.recheck after the release. Give the user all rights that"
                            + " Baton needs, including +subscribe and &{}",
                    channel,
                    said,
                    keys.root() + ":*");
        }
    }

    /** Handles the subscription becoming active, possibly again. */
    public void listening() {
        refused.set(false);
        Arrivals.tell(channel, inbox::listening);
    }

    /**
     * Handles a message. {@code grant 1 <id> <token> <lock key>} grants one lock. {@code grant 2 <id> <token>} grants
     * several locks. The number of bytes of each key and the key follow, because a key may have any character.
     * {@code grant 3 <id> <token> <number>} grants one lock or several, some of which the request shares; the keys follow
     * in the same way.
     * {@code revoke 1 <id> <token> <lock key>} takes a lock away. {@code wanted 1 <id> <token> <lock key>} says that a
     * request has waited for the lock for long; its token does not matter. Other messages, which newer versions may send, are
     * ignored.
     *
     * <p>Any process that may publish can send any message: messages that cannot be read are dropped.
     */
    public void received(byte[] body) {
        Arrivals.tell(channel, () -> {
            if (!isNew.test(body)) {
                return;
            }
            String[] part = Arrivals.text(body).split(" ", 5);
            String kind = part.length == 5 ? part[0] + " " + part[1] : "";
            switch (kind) {
                case "grant 1" -> granted(List.of(keys.lockName(part[4])), id(part[2]), token(part[3]));
                case "grant 2" -> granted(names(part[4]), id(part[2]), token(part[3]));
                case "grant 3" -> shared(part[4].split(" ", 2), id(part[2]), token(part[3]));
                case "wanted 1" -> inbox.wanted(keys.lockName(part[4]), id(part[2]));
                case "revoke 1" -> revoked(List.of(keys.lockName(part[4])), id(part[2]), token(part[3]));
                default -> log.debug("Unknown message of {} bytes in {}", body.length, channel);
            }
        });
    }

    private void granted(List<LockName> names, String id, long token) {
        if (token == UNREADABLE) {
            inbox.doubtful(names, id);
        } else {
            inbox.granted(names, id, token);
        }
    }

    private void shared(String[] part, String id, long token) {
        if (part.length < 2) {
            throw new IllegalArgumentException("no keys");
        }
        long number = token(part[0]);
        List<LockName> names = names(part[1]);
        if (token == UNREADABLE || number == UNREADABLE) {
            inbox.doubtful(names, id);
        } else {
            inbox.granted(names, id, token, number);
        }
    }

    private void revoked(List<LockName> names, String id, long token) {
        if (token == UNREADABLE) {
            throw new IllegalArgumentException("no token");
        }
        inbox.revoked(names, id, token);
    }

    private static String id(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("no id");
        }
        return text;
    }

    private static long token(String text) {
        try {
            return isNumber(text) ? Long.parseLong(text) : UNREADABLE;
        } catch (NumberFormatException tooLarge) {
            return UNREADABLE;
        }
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }

    private List<LockName> names(String text) {
        ByteBuffer list = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        List<LockName> names = new ArrayList<>();
        names.add(keys.lockName(key(list)));
        while (list.hasRemaining()) {
            if (list.get() != ' ') {
                throw new IllegalArgumentException("no space behind a key");
            }
            names.add(keys.lockName(key(list)));
        }
        return names;
    }

    /** Reads a key behind its length. Throws if there are fewer bytes than the length says. */
    private static String key(ByteBuffer list) {
        StringBuilder length = new StringBuilder();
        for (char next = (char) list.get(); next != ' '; next = (char) list.get()) {
            length.append(next);
        }
        if (!isNumber(length.toString())) {
            throw new IllegalArgumentException("no length: '" + length + "'");
        }
        int bytes = Integer.parseInt(length.toString());
        if (bytes > list.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] key = new byte[bytes];
        list.get(key);
        return Arrivals.text(key);
    }
}
