package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which commands name the calling thread as one that waits for the answer right away. */
class WaitingCallerTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final long COMMAND_TIMEOUT = Duration.ofSeconds(2).toNanos();

    private TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void callerThatBlocksIsNamedByItsFirstAcquireOnly() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> first = test.store.nextAcquire();
        assertThat(first.command().caller()).isEqualTo(new WaitingCaller(COMMAND_TIMEOUT, true));
        first.answer(busy(6));
        test.engine.inbox().listening();
        Sent<AcquireCommand, AcquireReply> recheck = test.store.nextAcquire();
        assertThat(recheck.command().caller()).isNull();
        recheck.answer(granted(7));
        assertThat(get(caller).wasGranted()).isTrue();
    }

    @Test
    void uninterruptibleCallerIsNamedAsSuch() {
        test.acquire(TestEngine.waiting(waits(LEASE), false, Duration.ZERO, null));
        assertThat(test.store.nextAcquire().command().caller()).isEqualTo(new WaitingCaller(COMMAND_TIMEOUT, false));
    }

    @Test
    void callerOfACohortIsBoundByItsOwnWait() {
        useCohort();
        test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(500), false));
        AcquireCommand command = test.store.nextAcquire().command();
        assertThat(command.timeoutNanos()).as("for members that join later").isEqualTo(COMMAND_TIMEOUT);
        assertThat(command.caller())
                .isEqualTo(new WaitingCaller(Duration.ofMillis(495).toNanos(), true));
    }

    @Test
    void asynchronousRequestAndReleaseNameNoCaller() {
        PendingAcquisition pending = test.engine.acquireAsync(waits(LEASE), acquisition -> {});
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        assertThat(acquire.command().caller()).isNull();
        acquire.answer(granted(7));
        test.engine.releaser().releaseAsync(get(pending.outcome()));
        assertThat(test.store.nextEnd().command().caller()).isNull();
    }

    @Test
    void blockingReleaseIsNamedByItsFirstEndOnly() {
        Acquisition acquisition = held();
        CompletableFuture<Boolean> released =
                CompletableFuture.supplyAsync(() -> test.engine.releaser().release(acquisition));
        Sent<EndCommand, EndReply> first = test.store.nextEnd();
        assertThat(first.command().caller()).isEqualTo(new WaitingCaller(COMMAND_TIMEOUT, false));
        first.fail(TestEngine.passing());
        Sent<EndCommand, EndReply> second = test.store.nextEnd();
        assertThat(second.command().caller()).isNull();
        second.answer(ended(Role.HOLDER));
        assertThat(get(released)).isTrue();
    }

    @Test
    void exchangeNamesTheReleasingCallerInItsEnd() {
        useCohort();
        Acquisition first = held();
        CompletableFuture<Acquisition> second = test.acquire(waits(LEASE));
        awaitWaiting(1);
        test.acquire(waits(LEASE));
        awaitWaiting(2);
        assertThat(test.engine.releaser().release(first)).as("passed on").isTrue();
        Acquisition holder = get(second);
        CompletableFuture.supplyAsync(() -> test.engine.releaser().release(holder));
        Sent<ExchangeCommand, ExchangeReply> exchange = test.store.nextExchange();
        assertThat(exchange.command().end().caller()).isEqualTo(new WaitingCaller(COMMAND_TIMEOUT, false));
        assertThat(exchange.command().acquire().caller()).isNull();
    }

    @Test
    void callerThatItsInterruptLetGoIsInterrupted() {
        LockEngine engine = engine(
                acquire -> {
                    Thread.currentThread().interrupt();
                    return CompletableFuture.failedFuture(new StoreException("let go", true, null));
                },
                end -> new CompletableFuture<>());
        assertThatThrownBy(() -> engine.acquire(TestEngine.tries(LEASE))).isInstanceOf(LockInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void releaseThatTheCallerSendsCountsTowardsItsWait() {
        LockEngine engine = engine(acquire -> CompletableFuture.completedFuture(granted(7)), end -> {
            test.time.advance(Duration.ofNanos(COMMAND_TIMEOUT));
            return CompletableFuture.failedFuture(TestEngine.passing());
        });
        Acquisition acquisition = engine.acquire(waits(LEASE));
        long begun = System.nanoTime();
        assertThat(engine.releaser().release(acquisition)).as("unconfirmed").isTrue();
        assertThat(System.nanoTime() - begun).isLessThan(COMMAND_TIMEOUT / 2);
    }

    private void useCohort() {
        test.close();
        test = new TestEngine(TestEngine.cohort(1, Duration.ofMinutes(5)));
        test.store.reserving = true;
    }

    private Acquisition held() {
        return test.hold(waits(LEASE), 8);
    }

    private void awaitWaiting(int count) {
        Awaitility.await().until(() -> test.engine.waiting().size() == count);
    }

    /** Returns an engine whose store carries out commands in the calling thread. */
    private LockEngine engine(
            Function<AcquireCommand, CompletableFuture<AcquireReply>> acquire,
            Function<EndCommand, CompletableFuture<EndReply>> end) {
        LockStore store = (LockStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "acquire" -> acquire.apply((AcquireCommand) arguments[0]);
                    case "end" -> end.apply((EndCommand) arguments[0]);
                    default -> method.invoke(test.store, arguments);
                });
        return new LockEngine(store, TestEngine.CALM, test.time);
    }
}
