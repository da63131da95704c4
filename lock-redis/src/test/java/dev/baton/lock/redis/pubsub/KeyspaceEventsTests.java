package dev.baton.lock.redis.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyspaceEventsTests {

    private static final LockName NAME = new LockName("orders", "x.1");

    private final List<LockName> freed = new ArrayList<>();
    private final KeyspaceEvents events = new KeyspaceEvents(new RedisKeys("lock"), 3, null, new GrantInbox() {
        @Override
        public void granted(List<LockName> names, String id, long token) {
            throw new AssertionError("a grant");
        }

        @Override
        public void revoked(List<LockName> names, String id, long token) {
            throw new AssertionError("a loss");
        }

        @Override
        public void listening() {
            throw new AssertionError("the inbox");
        }

        @Override
        public void freed(LockName name) {
            freed.add(name);
        }
    });

    @Test
    void channelIsThatOfTheLockKeyInItsDatabase() {
        assertThat(events.channel(NAME)).isEqualTo("__keyspace@3__:lock:orders:lock:{x.1}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"del", "expired"})
    void endOfAKeyMeansThatItsLockMayBeFree(String event) {
        events.received(bytes(events.channel(NAME)), bytes(event));
        assertThat(freed).containsExactly(NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"expire", "hset", "rename_from", "evicted", "new", ""})
    void otherEventsAreIgnored(String event) {
        events.received(bytes(events.channel(NAME)), bytes(event));
        assertThat(freed).isEmpty();
    }

    @Test
    void confirmationMeansThatTheLockMayBeFree() {
        events.listening(bytes(events.channel(NAME)));
        assertThat(freed).containsExactly(NAME);
    }

    @Test
    void probeNamesNoLock() {
        assertThat(events.probe()).isEqualTo("__keyspace@3__:lock:lock:");
        events.listening(bytes(events.probe()));
        assertThat(freed).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'',Kgx", "Kgx,Kgx", "xgK,xgK", "AK,AK", "AKE,AKE", "A,AK", "E$x,E$xKg", "Kg,Kgx", "El,ElKgx"})
    void missingFlagsAreAppended(String present, String wanted) {
        assertThat(KeyspaceSettings.with(present)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "__keyspace@3__:",
                "__keyspace@3__:lock:lock:{",
                "__keyspace@3__:lock:lock:{}",
                "__keyspace@3__:other:lock:{x.1}",
                "__keyspace@31_:lock:orders:lock:{x.1}",
                "__keyspace@4__:lock:orders:lock:{x.1}"
            })
    void channelOfNoLockIsIgnored(String channel) {
        events.received(bytes(channel), bytes("del"));
        events.listening(bytes(channel));
        assertThat(freed).isEmpty();
    }

    @Test
    void channelThatIsNotUtf8IsIgnored() {
        byte[] channel = bytes(events.channel(NAME));
        channel[channel.length - 2] = (byte) 0xC3;

        events.received(channel, bytes("del"));
        events.listening(channel);
        events.received(bytes(events.channel(NAME)), new byte[] {(byte) 0xC3});

        assertThat(freed).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
