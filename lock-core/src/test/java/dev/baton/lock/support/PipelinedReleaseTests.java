package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.get;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.engine.LeaseReleaser;
import dev.baton.lock.engine.UnconfirmedReleases;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests releases that do not await their answer, on a store that the test answers for. */
class PipelinedReleaseTests {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final EndReply GONE = ended(Role.NOTHING);

    private final TestEngine test = new TestEngine(TestEngine.CALM.pipelining());
    private long token = 7;

    @BeforeEach
    void confirmTheOrderByOneRelease() {
        releaseIsAwaited();
    }

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void releaseReturnsBeforeItsAnswer() {
        Acquisition acquisition = hold();
        assertThat(release(acquisition)).isTrue();
        assertThat(test.engine.releaser().unanswered()).isOne();
        assertThat(test.engine.openRequests()).isOne();

        test.store.nextEnd().answer(ended(Role.HOLDER));
        assertThat(acquisition.loss()).isNotDone();
        assertThat(test.engine.releaser().unanswered()).isZero();
        assertThat(test.engine.openRequests()).isZero();
    }

    @Test
    void asynchronousReleaseIsCompleteAtOnce() {
        Acquisition acquisition = hold();
        assertThat(test.engine.releaser().releaseAsync(acquisition)).isCompletedWithValue(true);
        test.store.nextEnd().answer(ended(Role.HOLDER));
        assertThat(acquisition.loss()).isNotDone();
    }

    @Test
    void lossAtTheMomentOfTheReleaseIsKnownWithoutTheAnswer() {
        for (boolean async : new boolean[] {false, true}) {
            Acquisition acquisition = hold();
            // only the first step of a loss; its notification has not run yet
            acquisition
                    .ticket()
                    .end(acquisition.lastGrant(), Phase.Why.LOST, test.time.nanoTime(), LossReasons.UNKNOWN);

            boolean ours =
                    async ? TestEngine.get(test.engine.releaser().releaseAsync(acquisition)) : release(acquisition);
            assertThat(ours).isFalse();

            assertThat(acquisition.loss()).isDone();
            test.store.nextEnd().answer(GONE);
        }
    }

    @Test
    void answerThatTheLockWasGoneIsALoss() throws Exception {
        DefaultLease lease = test.lease(hold());
        CountDownLatch told = new CountDownLatch(1);
        lease.onLost(told::countDown);
        try (LogCapture log = new LogCapture(Acquisition.class.getName())) {
            lease.close();
            assertThat(lease.isExpired()).isFalse();
            test.store.nextEnd().answer(GONE);

            assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(lease.isExpired()).isTrue();
            assertThat(log.messages(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("Lock 'server_access.42' was lost", LossReasons.UNKNOWN);
        }
        lease.close();
        assertThat(test.store.ends).as("a second close sends nothing").isEmpty();
        assertThat(test.engine.releaser().unanswered()).isZero();
    }

    @Test
    void answerThatOneOfSeveralLocksWasGoneNamesThatLock() {
        List<LockName> both = List.of(new LockName("", "a"), new LockName("", "b"));
        Acquisition acquisition =
                test.hold(TestEngine.spec(both, LEASE, false, LEASE, false, RequestEvents.SILENT), ++token);
        assertThat(release(acquisition)).isTrue();
        test.store.nextEnd().answer(new EndReply(Role.NOTHING, List.of(both.get(1)), false, false));
        assertThat(acquisition.loss()).isDone();
        assertThat(acquisition.lostNames()).containsExactly("b");
    }

    @Test
    void leaseExpiredByTheLocalClockIsLost() {
        Acquisition acquisition = hold();
        test.time.advance(LEASE);
        assertThat(release(acquisition)).isFalse();
    }

    @Test
    void releaseIsAwaitedWithoutOrder() {
        test.store.ordered = false;
        releaseIsAwaited();
        releaseIsAwaited();
    }

    @Test
    void releaseIsAwaitedOnceAfterTheOrderHasChanged() {
        test.store.loseConnection();
        releaseIsAwaited();
        Acquisition acquisition = hold();
        assertThat(release(acquisition)).isTrue();
    }

    @Test
    void releaseIsAwaitedAfterTheMachineMayHaveSlept() {
        Acquisition early = hold();
        Acquisition known = hold();
        test.time.advanceWall(Duration.ofSeconds(1));
        isAwaited(early);
        // from now on, the clocks are compared with their present times
        test.store.nextRenewal();
        isAwaited(known);
        test.time.advance(Duration.ofMillis(1));
        Acquisition later = hold();
        assertThat(release(later)).as("granted after the sleep").isTrue();
    }

    @Test
    void releaseIsAwaitedBeyondTheBound() {
        assertThat(UnconfirmedReleases.MOST).isEqualTo(1_024);
        for (int i = 0; i < UnconfirmedReleases.MOST; i++) {
            assertThat(release(hold())).isTrue();
        }
        List<Sent<EndCommand, EndReply>> ends = new ArrayList<>();
        for (int i = 0; i < UnconfirmedReleases.MOST; i++) {
            ends.add(test.store.nextEnd());
        }
        releaseIsAwaited();

        ends.get(0).answer(ended(Role.HOLDER));
        assertThat(release(hold())).as("there is room again").isTrue();
    }

    @Test
    void lateRepeatOfAnEndThatFindsNothingIsNoLoss() {
        Acquisition acquisition = hold();
        release(acquisition);
        test.store.nextEnd().fail(TestEngine.passing());
        Sent<EndCommand, EndReply> second = test.store.nextEnd();
        test.time.advance(LEASE.plusSeconds(1));
        second.answer(GONE);
        assertThat(acquisition.loss()).isNotDone();
        assertThat(test.engine.openRequests()).isZero();
        assertThat(test.engine.releaser().unanswered()).isZero();
    }

    @Test
    void endDroppedAfterTheLeaseLeavesNothing() {
        Acquisition acquisition = hold();
        release(acquisition);
        test.time.advance(LEASE.plusSeconds(1));
        test.store.nextEnd().fail(TestEngine.passing());
        assertThat(acquisition.loss()).isNotDone();
        assertThat(test.engine.openRequests()).isZero();
        assertThat(test.engine.releaser().unanswered()).isZero();
    }

    @Test
    void unansweredReleaseIsLoggedOnce() {
        try (TestEngine quick = new TestEngine(new EngineSettings(
                                TimeUnit.SECONDS.toNanos(1),
                                Duration.ofHours(1),
                                Duration.ofDays(1).toNanos(),
                                1_000)
                        .pipelining());
                LogCapture log = new LogCapture(LeaseReleaser.class.getName())) {
            Acquisition first = quick.hold(waits(LEASE), 1);
            CompletableFuture<Boolean> awaited =
                    CompletableFuture.supplyAsync(() -> quick.engine.releaser().release(first));
            quick.store.nextEnd().answer(ended(Role.HOLDER));
            get(awaited);
            Acquisition acquisition = quick.hold(waits(LEASE), 2);
            quick.engine.releaser().release(acquisition);
            Sent<EndCommand, EndReply> end = quick.store.nextEnd();
            quick.time.advance(Duration.ofSeconds(1));
            Awaitility.await().until(() -> !log.messages(Level.WARN).isEmpty());
            end.fail(TestEngine.refusal());
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "The release of lock 'server_access.42' was not confirmed; the lock comes free when its"
                                    + " lease ends at the latest");
        }
    }

    @Test
    void stopWaitsForTheAnswer() {
        release(hold());
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(test.engine::stop);
        Awaitility.await().until(test.engine::isStopping);
        assertThat(test.store.stopped).isFalse();
        test.store.nextEnd().answer(ended(Role.HOLDER));
        get(stopping);
        assertThat(test.store.stopped).isTrue();
    }

    @Test
    void stopNamesUnansweredReleases() {
        release(hold());
        try (LogCapture log = new LogCapture(LeaseReleaser.class.getName())) {
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(test.engine::stop);
            Awaitility.await().until(test.engine::isStopping);
            test.store.nextEnd();
            assertThat(stopping).isNotDone();
            test.time.advance(Duration.ofSeconds(2));
            get(stopping);
            assertThat(log.messages(Level.WARN))
                    .contains("Stopping while 1 release(s) are not confirmed; their locks come free when their leases"
                            + " end at the latest: [server_access.42]");
        }
    }

    private Acquisition hold() {
        return test.hold(waits(LEASE), ++token);
    }

    /** Releases in the thread of the test. A release that awaits its answer takes two seconds, and fails the test. */
    private boolean release(Acquisition acquisition) {
        long from = System.nanoTime();
        boolean released = test.engine.releaser().release(acquisition);
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofMillis(1_900));
        return released;
    }

    private void releaseIsAwaited() {
        isAwaited(hold());
    }

    /** Only an awaited release can return {@code false} for a lost lock. */
    private void isAwaited(Acquisition acquisition) {
        CompletableFuture<Boolean> released =
                CompletableFuture.supplyAsync(() -> test.engine.releaser().release(acquisition));
        Sent<EndCommand, EndReply> end = test.store.nextEnd();
        assertThat(released).isNotDone();
        end.answer(GONE);
        assertThat(get(released)).isFalse();
    }
}
