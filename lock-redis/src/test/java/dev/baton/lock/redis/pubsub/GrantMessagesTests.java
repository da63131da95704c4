package dev.baton.lock.redis.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantMessagesTests {

    private record InboxEvent(List<LockName> names, String id, long token) {}

    private final List<InboxEvent> told = new ArrayList<>();
    private final List<InboxEvent> revoked = new ArrayList<>();
    private final List<InboxEvent> wanted = new ArrayList<>();
    private final List<InboxEvent> doubted = new ArrayList<>();
    private final RedisKeys keys = new RedisKeys("lock");
    private final GrantMessages messages = new GrantMessages(keys, "lock:inbox:i", new GrantInbox() {
        @Override
        public void granted(List<LockName> names, String id, long token) {
            told.add(new InboxEvent(names, id, token));
        }

        @Override
        public void wanted(LockName name, String id) {
            wanted.add(new InboxEvent(List.of(name), id, 0));
        }

        @Override
        public void revoked(List<LockName> names, String id, long token) {
            revoked.add(new InboxEvent(names, id, token));
        }

        @Override
        public void doubtful(List<LockName> names, String id) {
            doubted.add(new InboxEvent(names, id, 0));
        }

        @Override
        public void listening() {
            throw new AssertionError("no message may report a subscription");
        }
    });

    @Test
    void revokedLockIsNamed() {
        LockName name = new LockName("", "x.a b");

        receive("revoke 1 i:7 12 " + keys.lock(name));

        assertThat(revoked).containsExactly(new InboxEvent(List.of(name), "i:7", 12));
        assertThat(told).isEmpty();
    }

    @Test
    void wantedLockIsNamedWhateverTheToken() {
        LockName name = new LockName("", "x.a b");
        receive("wanted 1 i:7 12 " + keys.lock(name));
        receive("wanted 1 i:8 x " + keys.lock(name));
        receive("wanted 2 i:9 12 " + keys.lock(name));

        assertThat(wanted)
                .containsExactly(new InboxEvent(List.of(name), "i:7", 0), new InboxEvent(List.of(name), "i:8", 0));
        assertThat(told).isEmpty();
        assertThat(revoked).isEmpty();
    }

    @Test
    void grantOfOneLockNamesIt() {
        LockName name = new LockName("orders:eu", "x.a b\n7 c");

        receive("grant 1 i:7 12 " + keys.lock(name));

        assertThat(told).containsExactly(new InboxEvent(List.of(name), "i:7", 12));
    }

    @Test
    void grantOfSeveralLocksNamesThemInTheirOrder() {
        List<LockName> names = List.of(
                new LockName("", "x.a"),
                new LockName("", "x. 9 lock:lock:{x.b}"),
                new LockName("orders", "x.line 1\n\u00fc\u20ac\ud83d\ude80"),
                new LockName("", "x.{t}b"));
        StringBuilder message = new StringBuilder("grant 2 i:7 12");
        for (LockName name : names) {
            String key = keys.lock(name);
            message.append(' ').append(key.getBytes(StandardCharsets.UTF_8).length);
            message.append(' ').append(key);
        }

        receive(message.toString());

        assertThat(told).containsExactly(new InboxEvent(names, "i:7", 12));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "grant", "grant 3 i:7 12 lock:lock:{x.a}", "other 1 i:7 12 lock:lock:{x.a}", "grant 1 i:7 12"
            })
    void messagesOfNewerVersionsAreIgnored(String message) {
        receive(message);

        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"notanumber", "0", "-1", "+7", "", "9223372036854775808", "\u0661", "1e3"})
    void grantWithAnUnreadableTokenIsDoubtful(String token) {
        LockName name = new LockName("", "x.a");

        receive("grant 1 i:7 " + token + " " + keys.lock(name));
        receive("grant 2 i:8 " + token + " 15 lock:lock:{x.a} 15 lock:lock:{x.b}");
        receive("revoke 1 i:9 " + token + " " + keys.lock(name));

        assertThat(told).isEmpty();
        assertThat(revoked).isEmpty();
        assertThat(doubted)
                .containsExactly(
                        new InboxEvent(List.of(name), "i:7", 0),
                        new InboxEvent(List.of(name, new LockName("", "x.b")), "i:8", 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grant 1 i:7 12 other:lock:{x.a}",
                "grant 1 i:7 12 lock:queue:{x.a}",
                "grant 1 i:7 12 lock:lock:",
                "grant 1 i:7 12 lock:lock:{",
                "grant 1 i:7 12 lock:lock:{}",
                "grant 1 i:7 12 lock:lock:{x.a",
                "grant 1 i:7 12 lock:lock:x.a",
                "grant 1 i:7 12 lock::lock:{x.a}",
                "grant 1  12 lock:lock:{x.a}",
                "revoke 1 i:7 12 lock:lock:{",
                "wanted 1 i:7 12 lock:lock:{",
                "wanted 1  12 lock:lock:{x.a}",
                "wanted 1 i:7 12",
                "grant 2 i:7 12 ",
                "grant 2 i:7 12 15",
                "grant 2 i:7 12 x lock:lock:{x.a}",
                "grant 2 i:7 12 -1 lock:lock:{x.a}",
                "grant 2 i:7 12 0 lock:lock:{x.a}",
                "grant 2 i:7 12 14 lock:lock:{x.a}",
                "grant 2 i:7 12 16 lock:lock:{x.a}",
                "grant 2 i:7 12 15 lock:lock:{x.a} ",
                "grant 2 i:7 12 15 lock:lock:{x.a} 15",
                "grant 2 i:7 12 4294967311 lock:lock:{x.a}",
                "grant 2 i:7 12 99999999999999999999 lock:lock:{x.a}"
            })
    void unreadableMessageIsIgnored(String message) {
        receive(message);

        assertThat(told).isEmpty();
        assertThat(revoked).isEmpty();
        assertThat(wanted).isEmpty();
        assertThat(doubted).isEmpty();
    }

    @Test
    void nameThatIsNotUtf8IsIgnored() {
        byte[] message = "grant 1 i:7 12 lock:lock:{x.a}".getBytes(StandardCharsets.UTF_8);
        message[message.length - 2] = (byte) 0xC3;

        messages.received(message);

        assertThat(told).isEmpty();
    }

    @Test
    void failureOfTheInboxIsNotThrown() {
        GrantMessages failing = new GrantMessages(keys, "lock:inbox:i", new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                throw new IllegalStateException("granted");
            }

            @Override
            public void wanted(LockName name, String id) {
                throw new IllegalStateException("wanted");
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                throw new IllegalStateException("revoked");
            }

            @Override
            public void doubtful(List<LockName> names, String id) {
                throw new IllegalStateException("doubtful");
            }

            @Override
            public void listening() {
                throw new IllegalStateException("listening");
            }
        });

        for (String message : List.of("grant 1 i:7 12", "revoke 1 i:7 12", "wanted 1 i:7 12", "grant 1 i:7 x")) {
            assertThatCode(() -> failing.received((message + " lock:lock:{x.a}").getBytes(StandardCharsets.UTF_8)))
                    .doesNotThrowAnyException();
        }
        assertThatCode(failing::listening).doesNotThrowAnyException();
    }

    private void receive(String message) {
        messages.received(message.getBytes(StandardCharsets.UTF_8));
    }
}
