package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a holder whose grant came by message, and whose acquire is answered late: while a command lets another request take
 * the place of the holder.
 */
class ReplacedTicketTests {

    private static final List<LockName> NAME = List.of(new LockName("", "x.global"));
    private static final LockRequest WRITE = LockRequest.of("x").waitUnbounded();
    private static final long TOKEN = 7;

    private final FakeLockStore store = new FakeLockStore();
    private final ExecutorService owner = Executors.newSingleThreadExecutor();
    private final LockTemplate template;
    private Sent<AcquireCommand, AcquireReply> asked;
    private Lease lease;

    ReplacedTicketTests() {
        store.sharing = true;
        store.conditions = true;
        template = LockTemplate.builder(store).time(new ManualTime()).build();
    }

    @BeforeEach
    void acquire() {
        CompletableFuture<Lease> granted = CompletableFuture.supplyAsync(() -> template.acquire(WRITE), owner);
        asked = store.nextAcquire();
        template.engine()
                .inbox()
                .granted(NAME, asked.command().requests().get(0).id(), TOKEN);
        lease = TestEngine.get(granted);
    }

    @AfterEach
    void stop() {
        owner.shutdownNow();
        template.engine().executors().stop();
    }

    private void answerLate() throws InterruptedException {
        asked.answer(TestEngine.busy(TOKEN - 1));
        assertThat(store.ends.poll(300, TimeUnit.MILLISECONDS))
                .as("an end would come before the command")
                .isNull();
    }

    private CompletableFuture<Lease> await(String condition) {
        return CompletableFuture.supplyAsync(() -> lease.condition(condition).awaitUninterruptibly(), owner);
    }

    private static AwaitReply reply(boolean awaits) {
        return new AwaitReply(awaits, false, TOKEN, false, false, List.of());
    }

    @Test
    void writerIsNotEndedBeforeItsDowngrade() throws Exception {
        Lease reader = TestEngine.get(
                CompletableFuture.supplyAsync(() -> template.acquire(WRITE.mode(LockMode.SHARED)), owner));
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(lease::release, owner);
        Sent<DowngradeCommand, DowngradeReply> downgrade = store.nextDowngrade();
        answerLate();
        downgrade.answer(new DowngradeReply(OptionalLong.of(9), false, List.of()));
        assertThat(TestEngine.get(released)).isTrue();
        assertThat(reader.isHeld()).isTrue();
    }

    @Test
    void holderIsNotEndedBeforeItAwaitsACondition() throws Exception {
        CompletableFuture<Lease> back = await("c");
        Sent<AwaitCommand, AwaitReply> sent = store.nextAwait();
        answerLate();
        sent.answer(reply(true));
        template.engine().inbox().granted(NAME, sent.command().waiter().id(), 9);
        assertThat(TestEngine.get(back).isHeld()).isTrue();
    }

    @Test
    void holderThatHasLostItsLockIsEnded() throws Exception {
        CompletableFuture<Lease> back = await("c");
        Sent<AwaitCommand, AwaitReply> sent = store.nextAwait();
        answerLate();
        sent.answer(reply(false));
        assertThatThrownBy(back::join).hasCauseInstanceOf(LockLostException.class);
        assertThat(store.nextEnd().command().id())
                .as("a late acquire may have put it into the queue")
                .isEqualTo(sent.command().id());
    }
}
