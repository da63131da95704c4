package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Several commands are under way when the first answer decides between scripts and transactions. */
class AutoCommandsTests {

    private static final EndReply ENDED = new EndReply(Role.HOLDER, List.of(), false, false);
    private static final EndCommand END =
            new EndCommand(List.of(new LockName("", "x.global")), "i:1", null, 0, 0, 1_000);

    private final Ends scripts = new Ends(LockHandler.SCRIPT);
    private final Ends transactions = new Ends(LockHandler.TRANSACTION);
    private final LockCommands commands = new AutoCommands(scripts, () -> transactions);

    @Test
    void everyCommandThatIsRefusedAsAScriptIsRepeatedByTransaction() {
        CompletableFuture<EndReply> first = commands.end(END);
        CompletableFuture<EndReply> second = commands.end(END);
        assertThat(commands.handler()).isEqualTo(LockHandler.AUTO);
        scripts.sent.remove().completeExceptionally(refusal());
        scripts.sent.remove().completeExceptionally(refusal());
        assertThat(commands.handler()).isEqualTo(LockHandler.TRANSACTION);
        transactions.sent.remove().complete(ENDED);
        transactions.sent.remove().complete(ENDED);
        assertThat(first).isCompletedWithValue(ENDED);
        assertThat(second).isCompletedWithValue(ENDED);
    }

    @Test
    void refusalAfterAScriptWasCarriedOutIsAFailure() {
        CompletableFuture<EndReply> first = commands.end(END);
        CompletableFuture<EndReply> second = commands.end(END);
        scripts.sent.remove().complete(ENDED);
        scripts.sent.remove().completeExceptionally(refusal());
        assertThat(first).isCompletedWithValue(ENDED);
        assertThat(second).isCompletedExceptionally();
        assertThat(commands.handler()).isEqualTo(LockHandler.SCRIPT);
        assertThat(transactions.sent).isEmpty();
    }

    @Test
    void otherFailureDecidesNothing() {
        CompletableFuture<EndReply> failed = commands.end(END);
        scripts.sent.remove().completeExceptionally(new StoreException("no answer", true, null));
        assertThat(failed).isCompletedExceptionally();
        assertThat(commands.handler()).isEqualTo(LockHandler.AUTO);
    }

    private static StoreException refusal() {
        return new StoreException(
                "refused",
                false,
                new IllegalStateException("NOPERM this user has no permissions to run the 'evalsha' command"));
    }

    /** Ends that a test answers. */
    private static final class Ends implements LockCommands {

        private final Queue<CompletableFuture<EndReply>> sent = new ConcurrentLinkedQueue<>();
        private final LockHandler handler;

        Ends(LockHandler handler) {
            this.handler = handler;
        }

        @Override
        public LockHandler handler() {
            return handler;
        }

        @Override
        public StoreTraits traits() {
            return StoreTraits.GRANT;
        }

        @Override
        public long order() {
            return 0;
        }

        @Override
        public CompletableFuture<EndReply> end(EndCommand command) {
            CompletableFuture<EndReply> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
        }

        @Override
        public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<AwaitReply> await(AwaitCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<SignalReply> signal(SignalCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<ScanPage> scan(ScanCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Instant> time(long timeoutNanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // there is no connection
        }
    }
}
