package dev.baton.lock.redis.pubsub;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of what arrives without ever failing the client library that brings it: a failure would end its loop, and with it the
 * subscription.
 */
final class Arrivals {

    private static final Logger log = LoggerFactory.getLogger(Arrivals.class);

    private Arrivals() {}

    /** Runs what reads a message and tells of it; drops the message where that fails. */
    static void tell(String channel, Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException ex) {
            log.debug("What arrived in {} is dropped: it could not be read, or not be told", channel, ex);
        }
    }

    /**
     * The text of these bytes.
     *
     * @throws IllegalArgumentException if they are no UTF-8: another text would name another lock
     */
    static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException ex) {
            throw new IllegalArgumentException(bytes.length + " bytes that are no UTF-8", ex);
        }
    }
}
