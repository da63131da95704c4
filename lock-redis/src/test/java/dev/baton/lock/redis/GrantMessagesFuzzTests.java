package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that thousands of malformed messages neither throw nor name an impossible lock. */
class GrantMessagesFuzzTests {

    private static final int MESSAGES = 20_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final RedisKeys keys = new RedisKeys("lock");
    private final CheckingInbox told = new CheckingInbox();
    private final GrantMessages messages = new GrantMessages(keys, "lock:inbox:i", told);
    private final KeyspaceEvents events = new KeyspaceEvents(keys, 3, null, told);

    @Test
    void randomBytesAreIgnored() {
        for (int i = 0; i < MESSAGES; i++) {
            receive(randomBytes(64));
        }
        assertThat(told.count).as("seed %d", seed).isZero();
    }

    @Test
    void damagedMessagesNeverNameAnImpossibleLock() {
        for (int i = 0; i < MESSAGES; i++) {
            receive(damaged(bytes(valid())));
        }
        assertThat(told.count)
                .as("seed %d: some messages are still intact", seed)
                .isPositive();
    }

    @Test
    void truncatedMessagesNeverNameAnImpossibleLock() {
        for (String valid : List.of(
                "grant 1 i:7 12 lock:orders:lock:{x.\u00fc\u20ac}",
                "grant 2 i:7 12 15 lock:lock:{x.a} 20 lock:lock:{x.\u00fc\u20ac}b",
                "wanted 1 i:7 12 lock:lock:{x.\u00fc}",
                "revoke 1 i:7 12 lock:lock:{x.\ud83d\ude80}")) {
            byte[] whole = bytes(valid);
            for (int length = 0; length < whole.length; length++) {
                receive(Arrays.copyOf(whole, length));
            }
        }
        assertThat(told.count)
                .as("a list of several locks that ends after the first is intact")
                .isOne();
    }

    @Test
    void eventsOfDamagedChannelsNeverNameAnImpossibleLock() {
        for (int i = 0; i < MESSAGES; i++) {
            byte[] channel = damaged(bytes(events.channel(name())));
            byte[] event = random.nextInt(4) == 0 ? randomBytes(8) : bytes("del");
            assertThatCode(() -> {
                        events.received(channel, event);
                        events.listening(channel);
                    })
                    .as("seed %d", seed)
                    .doesNotThrowAnyException();
        }
        assertThat(told.count)
                .as("seed %d: some messages are still intact", seed)
                .isPositive();
    }

    private void receive(byte[] message) {
        assertThatCode(() -> messages.received(message))
                .as("seed %d: %s", seed, Arrays.toString(message))
                .doesNotThrowAnyException();
    }

    private String valid() {
        return switch (random.nextInt(4)) {
            case 0 -> "grant 1 i:7 " + number() + " " + keys.lock(name());
            case 1 -> "revoke 1 i:7 " + number() + " " + keys.lock(name());
            case 2 -> "wanted 1 i:7 " + number() + " " + keys.lock(name());
            default -> {
                StringBuilder several = new StringBuilder("grant 2 i:7 ").append(number());
                for (int i = random.nextInt(4); i > 0; i--) {
                    String key = keys.lock(name());
                    several.append(' ')
                            .append(random.nextInt(8) == 0 ? number() : String.valueOf(bytes(key).length))
                            .append(' ')
                            .append(key);
                }
                yield several.toString();
            }
        };
    }

    private String number() {
        return switch (random.nextInt(6)) {
            case 0 -> "-" + random.nextInt(100);
            case 1 -> "9".repeat(1 + random.nextInt(40));
            case 2 -> String.valueOf(random.nextLong());
            case 3 -> "";
            default -> String.valueOf(1 + random.nextInt(1_000));
        };
    }

    private LockName name() {
        String alphabet = "{}:% .al\n\u00fc\u20ac";
        StringBuilder name = new StringBuilder("x.a");
        random.ints(random.nextInt(8), 0, alphabet.length()).forEach(i -> name.append(alphabet.charAt(i)));
        return new LockName(random.nextInt(3) == 0 ? "orders" : "", name.toString());
    }

    private byte[] damaged(byte[] whole) {
        byte[] message = switch (random.nextInt(4)) {
            case 0 -> whole;
            case 1 -> Arrays.copyOf(whole, random.nextInt(whole.length + 8));
            case 2 -> Arrays.copyOfRange(whole, random.nextInt(whole.length), whole.length);
            default -> whole.clone();
        };
        for (int i = random.nextInt(3); i > 0 && message.length > 0; i--) {
            message[random.nextInt(message.length)] = (byte) random.nextInt();
        }
        return message;
    }

    private byte[] randomBytes(int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Counts events, and asserts that each is possible. */
    private final class CheckingInbox implements GrantInbox {

        private int count;

        @Override
        public void granted(List<LockName> names, String id, long token) {
            assertThat(token).as("seed %d", seed).isPositive();
            check(names, id);
        }

        @Override
        public void revoked(List<LockName> names, String id, long token) {
            assertThat(token).as("seed %d", seed).isPositive();
            check(names, id);
        }

        @Override
        public void doubtful(List<LockName> names, String id) {
            check(names, id);
        }

        @Override
        public void listening() {
            throw new AssertionError("no message may report a subscription");
        }

        @Override
        public void freed(LockName name) {
            check(List.of(name), "any");
        }

        private void check(List<LockName> names, String id) {
            count++;
            assertThat(id).as("seed %d", seed).isNotBlank();
            assertThat(names).as("seed %d", seed).isNotEmpty().allSatisfy(name -> {
                assertThat(name.name()).isNotEmpty();
                assertThat(keys.lockName(keys.lock(name))).isEqualTo(name);
                assertThat(new String(bytes(name.name()), StandardCharsets.UTF_8))
                        .isEqualTo(name.name());
            });
        }
    }
}
