package dev.baton.lock.engine;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.granted;
import static dev.baton.lock.support.TestEngine.tries;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockEngineTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    /** A wait too short to tell whether a silent store is unreachable. */
    private static final Duration SHORT = Duration.ofMillis(50);

    private final TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void tryOfABusyLockIsRefusedAndLeavesNothing() {
        CompletableFuture<Acquisition> caller = test.acquire(tries(LEASE));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        assertThat(acquire.command().requests())
                .extracting(AcquireCommand.Request::kind)
                .containsExactly(AcquireCommand.Kind.TRY);
        acquire.answer(busy(6));

        LockTimeoutException ex = failure(caller, LockTimeoutException.class);
        assertThat(ex.waited()).isZero();
        assertThat(ex.holder()).map(holder -> holder.label()).contains("web-1:1/main");
        test.settle();
        assertThat(test.store.ends)
                .as("an answered try has left no trace at the store")
                .isEmpty();
        assertThat(test.engine.openRequests()).isZero();
        assertThat(test.engine.awaitedNames()).isZero();
    }

    @Test
    void tryOwesNoEndIfTheStoreIsNotReady() {
        CompletableFuture<Acquisition> caller = test.acquire(tries(LEASE));
        test.store.nextAcquire().fail(TestEngine.notReady());

        failure(caller, LockStoreException.class);
        test.settle();
        assertThat(test.store.ends).isEmpty();
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void waiterOwesNoEndIfTheStoreWasNeverReady() {
        test.store.onAcquire = acquire -> acquire.fail(TestEngine.notReady());
        CompletableFuture<Acquisition> caller =
                test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(20), false));

        failure(caller, LockStoreException.class);
        test.settle();
        assertThat(test.store.ends).isEmpty();
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void waiterThatWasQueuedIsEndedAfterTheStoreStopsBeingReady() {
        CompletableFuture<Acquisition> caller =
                test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(300), false));
        test.store.nextAcquire().answer(TestEngine.busy(6));
        test.engine.inbox().listening();
        test.store.nextAcquire().fail(TestEngine.notReady());

        failure(caller, LockException.class);
        test.store.nextEnd().answer(TestEngine.ended(Role.WAITER));
    }

    @Test
    void tryWithoutAnAnswerIsEnded() {
        CompletableFuture<Acquisition> caller = test.acquire(tries(LEASE));
        test.store.nextAcquire().fail(TestEngine.passing());

        LockStoreException ex = failure(caller, LockStoreException.class);
        assertThat(ex)
                .hasMessage(
                        "Lock 'server_access.42' could not be requested: Redis at localhost:1 has not answered within 2000"
                                + " ms");
        assertThat(test.store.nextEnd().command().markMillis()).isPositive();
    }

    @Test
    void waiterGivesUpWhenItsWaitTimeEnds() {
        CompletableFuture<Acquisition> caller =
                test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(500), false));
        test.store.nextAcquire().answer(busy(6));

        LockTimeoutException ex = failure(caller, LockTimeoutException.class);
        assertThat(ex.holder()).isPresent();
        test.store.nextEnd().answer(ended(Role.WAITER));
        assertThat(test.engine.openRequests()).isZero();
        assertThat(test.engine.awaitedNames()).isZero();
    }

    @Test
    void waiterSurvivesAnOutageOfTheStore() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        test.store.nextAcquire().fail(TestEngine.passing());
        test.store.nextAcquire().fail(TestEngine.passing());
        test.store.nextAcquire().answer(granted(7));

        assertThat(get(caller).lastGrant().token).isEqualTo(7);
    }

    @Test
    void refusalOfTheStoreEndsTheWaitAtOnce() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        test.store.nextAcquire().fail(TestEngine.refusal());

        assertThat(failure(caller, LockStoreException.class))
                .hasMessage("Lock 'server_access.42' could not be requested: Redis at localhost:1 refused: NOPERM");
        assertThat(test.store.nextEnd().command().markMillis()).isPositive();
    }

    @Test
    void unexpectedFailureOfTheStoreEndsTheWait() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        test.store.nextAcquire().fail(new CompletionException(new IllegalStateException("odd")));

        assertThat(failure(caller, LockStoreException.class)).hasMessageContaining("odd");
    }

    @Test
    void requestEndedByAnotherProcessFails() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(TestEngine.reply(new AcquireReply.Over()));

        assertThat(failure(caller, LockStoreException.class)).hasMessageContaining("was ended by another");
    }

    /** On a slow network the answer may still be on its way, so the store is not to blame. */
    @Test
    void waitThatEndsBeforeAnAnswerCanBeExpectedTimesOut() {
        CompletableFuture<Acquisition> caller = test.acquire(TestEngine.spec(LEASE, false, SHORT, false));
        test.store.nextAcquire();

        LockTimeoutException ex = failure(caller, LockTimeoutException.class);
        assertThat(ex.holder()).isEmpty();
        assertThat(ex)
                .hasMessageMatching(
                        "Lock 'server_access.42' not granted within \\d+ ms: the fake store had not answered by"
                                + " then; raise waitTime above the time that an answer takes");
        test.store.nextEnd().answer(ended(Role.NOTHING));
        assertThat(test.engine.openRequests()).isZero();
    }

    /** The command is abandoned just before the wait ends. */
    @Test
    void commandAbandonedAtTheEndOfAShortWaitDoesNotBlameTheStore() {
        CompletableFuture<Acquisition> caller = test.acquire(TestEngine.spec(LEASE, false, SHORT, false));
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        test.time.advance(Duration.ofNanos(acquire.command().timeoutNanos()));
        acquire.fail(TestEngine.passing());

        failure(caller, LockTimeoutException.class);
    }

    @Test
    void unreachableStoreIsReportedAfterAShortWait() {
        CompletableFuture<Acquisition> caller = test.acquire(TestEngine.spec(LEASE, false, SHORT, false));
        test.store.nextAcquire().fail(TestEngine.passing());

        failure(caller, LockStoreException.class);
    }

    @Test
    void silentStoreIsReportedWhenTheWaitEnds() {
        test.store.onAcquire = acquire -> test.time.advance(Duration.ofMillis(200));
        CompletableFuture<Acquisition> caller =
                test.acquire(TestEngine.spec(LEASE, false, Duration.ofMillis(200), false));

        assertThat(failure(caller, LockStoreException.class))
                .hasMessageStartingWith(
                        "Lock 'server_access.42' could not be requested: the fake store has not answered within");
    }

    @Test
    void interruptEndsTheWaitAndTheFlagStaysSet() throws Exception {
        AtomicReference<LockException> thrown = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            try {
                test.engine.acquire(waits(LEASE));
            } catch (LockException ex) {
                thrown.set(ex);
                flag.set(Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        Sent<AcquireCommand, AcquireReply> acquire = test.store.nextAcquire();
        acquire.answer(busy(6));
        caller.interrupt();
        caller.join(5_000);

        assertThat(thrown.get()).isInstanceOf(LockInterruptedException.class);
        assertThat(flag).isTrue();
        assertThat(test.store.nextEnd().command().id())
                .isEqualTo(acquire.command().requests().get(0).id());
    }

    @Test
    void stopFailsWaitersAndRefusesNewRequests() {
        CompletableFuture<Acquisition> caller = test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(test.engine::stop);

        assertThat(failure(caller, LockStoreException.class))
                .hasMessage("Lock 'server_access.42' is no longer granted: the lock template is stopping");
        assertThat(stopping).as("the stop waits for the pending end").isNotDone();
        test.store.nextEnd().answer(ended(Role.WAITER));
        get(stopping);
        assertThat(test.store.stopped).isTrue();
        assertThat(failure(test.acquire(waits(LEASE)), LockStoreException.class))
                .hasMessageContaining("the lock template is stopping");
    }

    @Test
    void stopNamesTheHeldLocks() {
        Acquisition acquisition = test.hold(waits(LEASE), 7);
        try (LogCapture log = new LogCapture(ShutdownSequence.class.getName())) {
            test.engine.stop();

            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "Stopping while 1 lock(s) are held, after 0 ms (baton.shutdown.await); they come free when"
                                    + " their leases end: ["
                                    + NAME.get(0).name() + "]");
        }
        assertThat(acquisition.grant()).isNotNull();
    }

    private static <T extends LockException> T failure(CompletableFuture<Acquisition> caller, Class<T> type) {
        Awaitility.await().until(caller::isDone);
        assertThat(caller).isCompletedExceptionally();
        Throwable thrown = caller.handle((acquisition, ex) -> ex instanceof CompletionException ? ex.getCause() : ex)
                .join();
        assertThat(thrown).isInstanceOf(type);
        return type.cast(thrown);
    }
}
