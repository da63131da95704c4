package dev.baton.lock.redis.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.key.KeyPlacement;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.store.WaitingCaller;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests that a renewal that fails lets the primaries be looked for, and what it then does. */
class AcknowledgedRenewalsTests {

    private static final LockName X = new LockName("", "x");
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final StoreThreads threads = new StoreThreads();
    private final AtomicInteger troubles = new AtomicInteger();
    /** What the primary answers to a script and {@code WAIT}; may throw. */
    private final AtomicReference<Supplier<List<Object>>> answer = new AtomicReference<>();

    private final AcknowledgedRenewals renewals = new AcknowledgedRenewals(
            1,
            new ScriptCommands(
                    new RedisKeys("lock"),
                    KeyPlacement.ONE_SERVER,
                    "lock:inbox:1",
                    new NoTransport(),
                    StoreTraits.GRANT),
            new FakePrimaries(),
            new RedisFailures(new LettuceConnectionFactory(), "lock", LockHandler.SCRIPT, WaitStrategy.GRANT, false),
            threads);

    @AfterEach
    void stop() {
        renewals.close();
        threads.stop();
    }

    private CompletableFuture<List<List<LockName>>> renew() {
        return renewals.renew(new RenewCommand(List.of(new Renewal(List.of(X), "a:1", 1_000)), TIMEOUT_NANOS));
    }

    private static List<Object> renewed() {
        return List.of(List.of(1L), 1L);
    }

    @Test
    void renewalThatIsAcknowledgedCausesNoTrouble() throws Exception {
        answer.set(AcknowledgedRenewalsTests::renewed);
        assertThat(renew().get(30, TimeUnit.SECONDS)).containsExactly(List.of());
        assertThat(troubles).hasValue(0);
    }

    /** Only renewals may be sent for a long time, so that no other command finds the new master. */
    @Test
    void slotThatHasMovedIsLookedForAndTheRenewalIsSentAgain() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        answer.set(() -> {
            if (attempts.incrementAndGet() < 3) {
                throw new TransactionConnection.RefusedException(
                        new IllegalStateException("MOVED 16287 127.0.0.1:7001"));
            }
            return renewed();
        });
        assertThat(renew().get(30, TimeUnit.SECONDS)).containsExactly(List.of());
        assertThat(troubles).hasValue(2);
    }

    @Test
    void primaryThatCannotBeReachedIsLookedFor() {
        answer.set(() -> {
            throw new IllegalStateException("Connection refused");
        });
        assertThatThrownBy(() -> renew().get(30, TimeUnit.SECONDS)).hasStackTraceContaining("Connection refused");
        await().untilAsserted(() -> assertThat(troubles).hasValue(1));
    }

    private final class FakePrimaries implements Primaries {

        @Override
        public TransactionConnection.Source connections(LockName name) {
            return new TransactionConnection.Source() {

                @Override
                public TransactionConnection open() {
                    return new FakeConnection();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Primary primary(LockName name) {
            throw new IllegalStateException("renewals need no transport");
        }

        @Override
        public void troubled() {
            troubles.incrementAndGet();
        }
    }

    private final class FakeConnection implements TransactionConnection {

        @Override
        public List<Object> ask(List<List<String>> commands) {
            return answer.get().get();
        }

        @Override
        public List<Object> exec(List<List<String>> commands) {
            throw new IllegalStateException("no transaction is expected");
        }

        @Override
        public void close(boolean failed) {}
    }

    private static final class NoTransport implements ScriptTransport {

        @Override
        public <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, WaitingCaller caller) {
            throw new IllegalStateException("nothing is sent by the usual connection");
        }

        @Override
        public long epoch() {
            return 0;
        }

        @Override
        public long order() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
