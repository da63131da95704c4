package dev.baton.lock.redis.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.key.KeyPlacement;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.script.LuaScript;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.store.WaitingCaller;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests what a grant comes to, by the answer of the primary. */
class PrimaryPauseTests {

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final List<Renewal> GRANT = List.of(new Renewal(List.of(new LockName("", "x")), "a:1", 0));

    private final RedisFailures failures =
            new RedisFailures(new LettuceConnectionFactory(), "lock", LockHandler.SCRIPT, WaitStrategy.GRANT, false);
    private final FakeTransport transport = new FakeTransport();
    private final List<String> confirmed = new ArrayList<>();
    private int troubles;
    private boolean known = true;

    private final PrimaryPause pause = new PrimaryPause(
            Duration.ofSeconds(30),
            new FakePrimaries(),
            new ScriptCommands(
                    new RedisKeys("lock"), KeyPlacement.ONE_SERVER, "lock:inbox:1", transport, StoreTraits.GRANT),
            new Replicas(),
            failures);

    private StoreException refusal() {
        return (StoreException) assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> pause.confirm(GRANT, TIMEOUT_NANOS).get(5, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(StoreException.class)
                .actual();
    }

    @Test
    void grantOfAPrimaryThatIsNotNewCountsWhenReplicasHaveIt() throws Exception {
        transport.answer = CompletableFuture.completedFuture(List.of(0L));
        pause.confirm(GRANT, TIMEOUT_NANOS).get(5, TimeUnit.SECONDS);
        assertThat(transport.keys).containsExactly("lock:primary:7");
        assertThat(transport.arguments).containsExactly("30000");
        assertThat(confirmed).containsExactly("a:1");
        assertThat(troubles).isZero();
    }

    @Test
    void grantOfANewPrimaryDoesNotCountAndAnotherAttemptMay() {
        transport.answer = CompletableFuture.completedFuture(List.of(1_200L));
        StoreException refusal = refusal();
        assertThat(refusal).hasMessageContaining("in 1200 ms").hasMessageContaining("baton.failover");
        assertThat(refusal.isPassing()).isTrue();
        assertThat(refusal.isUnexecuted()).as("the lock was granted").isFalse();
        assertThat(confirmed).isEmpty();
    }

    /** The master that has granted the lock is asked, and no other. */
    @Test
    void masterWhoseSlotHasMovedIsLookedForAndAnotherAttemptMayCount() {
        transport.answer = CompletableFuture.failedFuture(
                failures.refused("primary.lua", new IllegalStateException("MOVED 16287 127.0.0.1:7001"), true));
        assertThat(refusal().isPassing()).isTrue();
        assertThat(transport.sent).isEqualTo(1);
        assertThat(troubles).isEqualTo(1);
    }

    @Test
    void missingRightIsNoPassingFailure() {
        transport.answer = CompletableFuture.failedFuture(failures.refused(
                "primary.lua", new IllegalStateException("NOPERM this user has no permissions"), true));
        assertThat(refusal().isPassing()).isFalse();
    }

    @Test
    void unknownMasterIsLookedFor() {
        known = false;
        assertThat(refusal().isPassing()).isTrue();
        assertThat(transport.sent).isZero();
        assertThat(troubles).isEqualTo(1);
    }

    @Test
    void renewalsGoToTheReplicas() throws Exception {
        pause.renew(new RenewCommand(GRANT, TIMEOUT_NANOS)).get(5, TimeUnit.SECONDS);
        assertThat(confirmed).containsExactly("renewal");
        assertThat(transport.sent).isZero();
    }

    private final class FakePrimaries implements Primaries {

        @Override
        public TransactionConnection.Source connections(LockName name) {
            throw new IllegalStateException("a pause needs no connection that blocks");
        }

        @Override
        public Primary primary(LockName name) {
            return known ? new Primary(transport, "lock:primary:7") : null;
        }

        @Override
        public void troubled() {
            troubles++;
        }
    }

    private final class Replicas implements GrantConfirmation {

        @Override
        public CompletableFuture<?> confirm(List<Renewal> grants, long timeoutNanos) {
            grants.forEach(grant -> confirmed.add(grant.id()));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
            confirmed.add("renewal");
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public void close() {}
    }

    private static final class FakeTransport implements ScriptTransport {

        private CompletableFuture<List<Object>> answer = CompletableFuture.completedFuture(List.of());
        private List<String> keys = List.of();
        private List<String> arguments = List.of();
        private int sent;

        @Override
        public <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, WaitingCaller caller) {
            assertThat(call.script()).isEqualTo(LuaScript.PRIMARY);
            sent++;
            keys = texts(call.keys());
            arguments = texts(call.args());
            return answer.thenApply(call.reader());
        }

        private static List<String> texts(byte[][] words) {
            List<String> texts = new ArrayList<>();
            for (byte[] word : words) {
                texts.add(new String(word, StandardCharsets.UTF_8));
            }
            return texts;
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
