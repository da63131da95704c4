package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantMessagesTests {

    private record Told(List<LockName> names, String id, long token) {}

    private final List<Told> told = new ArrayList<>();
    private final List<Told> revoked = new ArrayList<>();
    private final RedisKeys keys = new RedisKeys("lock");
    private final GrantMessages messages = new GrantMessages(keys, "lock:inbox:i", new GrantInbox() {
        @Override
        public void granted(List<LockName> names, String id, long token) {
            told.add(new Told(names, id, token));
        }

        @Override
        public void revoked(List<LockName> names, String id, long token) {
            revoked.add(new Told(names, id, token));
        }

        @Override
        public void listening() {
            throw new AssertionError("no message says so");
        }
    });

    @Test
    void revokedLockIsNamed() {
        LockName name = new LockName("", "x.a b");

        receive("revoke 1 i:7 12 " + keys.lock(name));

        assertThat(revoked).containsExactly(new Told(List.of(name), "i:7", 12));
        assertThat(told).isEmpty();
    }

    @Test
    void grantOfOneLockNamesIt() {
        LockName name = new LockName("orders:eu", "x.a b\n7 c");

        receive("grant 1 i:7 12 " + keys.lock(name));

        assertThat(told).containsExactly(new Told(List.of(name), "i:7", 12));
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

        assertThat(told).containsExactly(new Told(names, "i:7", 12));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "grant", "grant 3 i:7 12 lock:lock:{x.a}", "other 1 i:7 12 lock:lock:{x.a}", "grant 1 i:7 12"
            })
    void whatANewerVersionMaySayIsIgnored(String message) {
        receive(message);

        assertThat(told).isEmpty();
    }

    private void receive(String message) {
        messages.received(message.getBytes(StandardCharsets.UTF_8));
    }
}
