package dev.baton.lock.redis.pubsub;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles arriving messages without ever failing the client library that delivers them. A failure would end the
 * library's loop, and with the loop the subscription.
 */
final class Arrivals {

    private static final Logger log = LoggerFactory.getLogger(Arrivals.class);

    private Arrivals() {}

    /** Runs a task that reads a message and passes it on. Drops the message if the task fails. */
    static void tell(String channel, Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException ex) {
            log.debug("A message in {} was dropped: it could not be read, or not be handled", channel, ex);
        }
    }

    /**
     * Returns the text of these bytes.
     *
     * @throws IllegalArgumentException if the bytes are not UTF-8: another text would name another lock
     */
    static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException ex) {
            throw new IllegalArgumentException(bytes.length + " bytes that are not UTF-8", ex);
        }
    }
}
