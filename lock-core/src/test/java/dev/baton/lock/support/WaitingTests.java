package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLimitException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.StallMonitor;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests waiting: interrupts, the stall time, the recheck of a request, and the limit of waiters. */
class WaitingTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration STALL = Duration.ofMillis(500);

    private TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    // the stall time

    @Test
    void holderThatStaysForTheStallTimeFailsTheWait() {
        CompletableFuture<Acquisition> caller = test.acquire(stalls());
        test.store.nextAcquire().answer(busy(6));
        test.time.advance(STALL);
        test.store.nextAcquire().answer(busy(6));

        LockTimeoutException ex = failure(caller, LockTimeoutException.class);
        assertThat(ex.isStuck()).isTrue();
        assertThat(ex.waited()).isEqualTo(STALL);
        assertThat(ex)
                .hasMessage(
                        "Lock 'server_access.42' not granted after 500 ms: held by the same holder for 500 ms"
                                + " (web-1:1/main for 0 ms, 3600000 ms of its lease left); check where that holder is stuck, or raise stallTime");
        test.store.nextEnd().answer(ended(Role.WAITER));
        assertThat(test.engine.openRequests()).isZero();
        assertThat(test.engine.awaitedNames()).isZero();
        assertThat(test.engine.waiters()).isZero();
    }

    @Test
    void earlyTimerAsksAgain() {
        CompletableFuture<Acquisition> caller = test.acquire(stalls());
        test.store.nextAcquire().answer(busy(6));
        // the manual clock does not advance, so the timer on the real clock fires too early
        test.store.nextAcquire().answer(busy(6));
        test.settle();
        assertThat(caller).isNotDone();

        test.time.advance(STALL);
        test.store.nextAcquire().answer(busy(6));
        assertThat(failure(caller, LockTimeoutException.class).isStuck()).isTrue();
    }

    @Test
    void changingHolderNeverFailsTheWait() {
        CompletableFuture<Acquisition> caller = test.acquire(stalls());
        for (int token = 6; token < 12; token++) {
            test.store.nextAcquire().answer(busy(token));
            test.time.advance(STALL);
        }
        test.settle();
        assertThat(caller).isNotDone();
        test.store.nextAcquire().answer(granted(13));
        assertThat(get(caller).lastGrant().token).isEqualTo(13);
    }

    @Test
    void unreachableStoreDoesNotProveAHolderStuck() {
        CompletableFuture<Acquisition> caller = test.acquire(stalls());
        test.store.nextAcquire().answer(busy(6));
        test.time.advance(STALL);
        test.store.nextAcquire().fail(TestEngine.passing());
        test.settle();
        assertThat(caller).isNotDone();

        test.store.nextAcquire().answer(busy(6));
        assertThat(failure(caller, LockTimeoutException.class).isStuck()).isTrue();
    }

    @Test
    void waitTimeThatEndsFirstIsNotReportedAsStuck() {
        AcquisitionSpec spec = TestEngine.waiting(
                TestEngine.spec(LEASE, false, Duration.ofMillis(500), false), true, Duration.ofHours(1), null);
        CompletableFuture<Acquisition> caller = test.acquire(spec);
        test.store.nextAcquire().answer(busy(6));

        LockTimeoutException ex = failure(caller, LockTimeoutException.class);
        assertThat(ex.isStuck()).isFalse();
        assertThat(ex).hasMessageContaining("held by web-1:1/main").hasMessageNotContaining("stallTime");
    }

    @Test
    void grantLeavesNoTimerBehind() {
        CompletableFuture<Acquisition> caller = test.acquire(TestEngine.waiting(waits(LEASE), true, STALL, null));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));
        test.engine
                .inbox()
                .granted(TestEngine.NAME, acquire.command().requests().get(0).id(), 7);
        assertThat(get(caller).ticket().stallMonitor()).isNotNull().returns(true, StallMonitor::isIdle);
    }

    private static AcquisitionSpec stalls() {
        return TestEngine.waiting(waits(LEASE), true, STALL, null);
    }

    // interrupts

    @Test
    void interruptOfAnUninterruptibleWaitIsKept() throws Exception {
        Outcome caller = run(uninterruptible(), thread -> {
            test.store.nextAcquire().answer(busy(6));
            thread.interrupt();
            test.engine.inbox().listening();
            Sent<AcquireCommand, AcquireReply> second = test.store.nextAcquire();
            Awaitility.await().until(() -> !thread.isInterrupted());
            thread.interrupt();
            second.answer(granted(7));
        });

        assertThat(caller.thrown()).isNull();
        assertThat(caller.flag()).as("the interrupt flag afterwards").isTrue();
    }

    @Test
    void uninterruptibleRequestAsksAlthoughTheFlagIsSet() throws Exception {
        Outcome caller = runInterrupted(
                uninterruptible(), thread -> test.store.nextAcquire().answer(granted(7)));

        assertThat(caller.thrown()).isNull();
        assertThat(caller.flag()).isTrue();
    }

    @Test
    void interruptOfATimedOutUninterruptibleWaitIsKept() throws Exception {
        AcquisitionSpec spec = TestEngine.waiting(
                TestEngine.spec(LEASE, false, Duration.ofSeconds(1), false), false, Duration.ZERO, null);
        Outcome caller = run(spec, thread -> {
            test.store.nextAcquire().answer(busy(6));
            thread.interrupt();
        });

        assertThat(caller.thrown()).isInstanceOf(LockTimeoutException.class);
        assertThat(caller.flag()).isTrue();
    }

    @Test
    void interruptibleRequestSendsNoAcquireIfTheFlagIsSet() throws Exception {
        Outcome caller = runInterrupted(waits(LEASE), thread -> {});

        assertThat(caller.thrown()).isInstanceOf(LockInterruptedException.class);
        assertThat(caller.flag()).isTrue();
        assertThat(test.store.acquires).isEmpty();
        assertThat(test.engine.waiters()).isZero();
    }

    private static AcquisitionSpec uninterruptible() {
        return TestEngine.waiting(waits(LEASE), false, Duration.ZERO, null);
    }

    // the recheck of a request

    @Test
    void requestAsksAtItsOwnRecheck() {
        CompletableFuture<Acquisition> caller = test.acquire(impatient());
        Sent<AcquireCommand, AcquireReply> first = test.store.nextAcquire();
        assertThat(first.command().recheck()).isEqualTo(Duration.ofMillis(20));
        first.answer(busy(6));

        Sent<AcquireCommand, AcquireReply> second = test.store.nextAcquire();
        assertThat(second.command().recheck()).isEqualTo(Duration.ofMillis(20));
        second.fail(TestEngine.passing());
        test.store.nextAcquire().answer(granted(7));
        get(caller);
    }

    @Test
    void waitersWithDifferentRechecksAskInSeparateCommandsAtTheirTimes() {
        CompletableFuture<Acquisition> calm = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> calmFirst = test.store.nextAcquire();
        calmFirst.answer(busy(6));
        CompletableFuture<Acquisition> impatient = test.acquire(impatient());
        Sent<AcquireCommand, AcquireReply> impatientFirst = test.store.nextAcquire();
        impatientFirst.answer(busy(6));
        for (int i = 0; i < 3; i++) {
            Sent<AcquireCommand, AcquireReply> again = test.store.nextAcquire();
            assertThat(again.command().recheck()).isEqualTo(Duration.ofMillis(20));
            assertThat(ids(again)).isEqualTo(ids(impatientFirst));
            if (i == 2) {
                assertThat(test.engine.awaitedNames()).isEqualTo(1);
                again.answer(granted(7));
            } else {
                again.answer(busy(6));
            }
        }
        get(impatient);

        test.engine.inbox().listening();
        Sent<AcquireCommand, AcquireReply> again = test.store.nextAcquire();
        assertThat(again.command().recheck()).isEqualTo(Duration.ofHours(1));
        assertThat(ids(again)).isEqualTo(ids(calmFirst));
        again.answer(granted(8));
        get(calm);
        assertThat(test.engine.awaitedNames()).isZero();
    }

    private static List<String> ids(Sent<AcquireCommand, AcquireReply> acquire) {
        return acquire.command().requests().stream()
                .map(AcquireCommand.Request::id)
                .toList();
    }

    private static AcquisitionSpec impatient() {
        return TestEngine.waiting(waits(LEASE), true, Duration.ZERO, Duration.ofMillis(20));
    }

    // the limit of waiters

    @Test
    void requestBeyondTheLimitIsRefusedAtOnce() {
        restart(2);
        CompletableFuture<Acquisition> first = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));
        CompletableFuture<Acquisition> second = test.acquire(waits(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));

        assertThatThrownBy(() -> test.engine.acquire(waits(LEASE)))
                .isInstanceOf(LockLimitException.class)
                .hasMessage(
                        "Lock 'server_access.42' was not requested: 2 requests of this process are already waiting for locks"
                                + " (baton.max-waiters); admit fewer callers, give them a shorter waitTime, or raise the limit");
        assertThat(test.store.acquires).isEmpty();

        test.engine
                .inbox()
                .granted(TestEngine.NAME, acquire.command().requests().get(0).id(), 7);
        get(second);
        CompletableFuture<Acquisition> third = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(7));
        assertThat(test.engine.waiters()).isEqualTo(2);
        assertThat(first).isNotDone();
        assertThat(third).isNotDone();
    }

    @Test
    void tryDoesNotCountAgainstTheLimit() {
        restart(1);
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));
        CompletableFuture<Acquisition> attempt = test.acquire(TestEngine.tries(LEASE));
        test.store.nextAcquire().answer(busy(6));

        failure(attempt, LockTimeoutException.class);
        assertThat(test.engine.waiters()).isEqualTo(1);
    }

    @Test
    void waiterThatGivesUpMakesRoom() {
        restart(1);
        failure(test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(30), false)), LockTimeoutException.class);

        assertThat(test.engine.waiters()).isZero();
    }

    private void restart(int maxWaiters) {
        test.close();
        test = new TestEngine(new EngineSettings(
                Duration.ofSeconds(2).toNanos(),
                Duration.ofHours(1),
                Duration.ofDays(1).toNanos(),
                1_000,
                maxWaiters,
                0));
    }

    private Outcome run(AcquisitionSpec spec, Consumer<Thread> meanwhile) throws Exception {
        return run(spec, false, meanwhile);
    }

    private Outcome runInterrupted(AcquisitionSpec spec, Consumer<Thread> meanwhile) throws Exception {
        return run(spec, true, meanwhile);
    }

    private Outcome run(AcquisitionSpec spec, boolean interrupted, Consumer<Thread> meanwhile) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            LockException thrown = null;
            try {
                test.engine.acquire(spec);
            } catch (LockException ex) {
                thrown = ex;
            }
            outcome.complete(new Outcome(thrown, Thread.currentThread().isInterrupted()));
        });
        thread.start();
        meanwhile.accept(thread);
        return outcome.get(5, TimeUnit.SECONDS);
    }

    /** The exception of a caller, if any, and its interrupt flag afterwards. */
    private record Outcome(@Nullable LockException thrown, boolean flag) {}

    private static <T extends LockException> T failure(CompletableFuture<Acquisition> caller, Class<T> type) {
        Throwable thrown =
                get(caller.handle((acquisition, ex) -> ex == null ? new AssertionError(acquisition) : ex.getCause()));
        assertThat(thrown).isInstanceOf(type);
        return type.cast(thrown);
    }
}
