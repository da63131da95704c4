package dev.baton.lock.engine.lease;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockListener;
import dev.baton.lock.engine.event.ListenerNotifier;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.event.RequestLog;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseMonitorTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final TestEngine test = new TestEngine();
    private final LeaseMonitor leases = test.engine.leases();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void leaseIsLostBeforeItEndsAtTheStore() {
        Duration lease = Duration.ofMillis(40);
        Ticket ticket = test.hold(waits(lease), 7).ticket();
        test.time.advance(TestEngine.usable(lease).minusNanos(1));
        assertThat(leases.isLost(ticket, ticket.lastGrant(), test.time.nanoTime()))
                .isFalse();
        assertThat(ticket.grant()).isNotNull();

        test.time.advance(Duration.ofNanos(1));

        Awaitility.await().until(() -> ticket.grant() == null);
        assertThat(ticket.phase())
                .isEqualTo(new Phase.Over(
                        ticket.lastGrant(),
                        Phase.Why.LOST,
                        ManualTime.START + TestEngine.usable(lease).toNanos(),
                        "its lease ended and was not renewed"));
        assertThat(test.store.nextEnd().command().id()).isEqualTo(ticket.id());
        assertThat(leases.names()).isEmpty();
    }

    @Test
    void releaseNoticesTheLossBeforeTheTimer() {
        Acquisition held = test.hold(waits(LONG), 7);
        Ticket ticket = held.ticket();
        test.time.advance(LONG);

        assertThat(leases.release(ticket, ticket.lastGrant())).isFalse();
        assertThat(held.loss()).isCompleted();
        assertThat(test.store.nextEnd().command().id()).isEqualTo(ticket.id());
    }

    @Test
    void lossIsReportedOnce() {
        try (LogCapture log = new LogCapture(Acquisition.class.getName())) {
            Ticket ticket = test.hold(waits(LONG), 7).ticket();
            Grant grant = ticket.lastGrant();

            leases.lost(ticket, grant, "it was deleted");
            leases.lost(ticket, grant, "again");

            assertThat(log.messages(Level.WARN))
                    .containsExactly("Lock 'server_access.42' was lost by web-3:4711/http-7 (token 7): it was deleted");
            test.settle();
            assertThat(test.store.ends).hasSize(1);
        }
    }

    @Test
    void lossIsLoggedWithKeyValuePairs() {
        LockListener.Request request =
                new LockListener.Request(1, "", List.of("server_access.42"), "server_access", "i:t7", "web-3");
        ListenerNotifier notifier = new ListenerNotifier(List.of(new LockListener() {}), null, RequestLog.SILENT);
        RequestEvents events = new RequestEvents(notifier, test.time, () -> request);
        events.asked();
        try (LogCapture log = new LogCapture(Acquisition.class.getName())) {
            Ticket ticket = test.hold(TestEngine.announced(LONG, events), 7).ticket();

            leases.lost(ticket, ticket.lastGrant(), "it was deleted");

            assertThat(log.pairs(Level.WARN))
                    .containsExactly(Map.of(
                            "lock", "server_access.42",
                            "scope", "server_access",
                            "owner", "i:t7",
                            "holder", "web-3:4711/http-7",
                            "token", 7L));
        }
    }

    @Test
    void lostAllIncludesLeasesThatHaveNotBegun() {
        Acquisition held = test.hold(waits(LONG), 7);
        Ticket ticket = held.ticket();
        Ticket late = TestEngine.ticket(waits(LONG), test.time.nanoTime());
        long now = test.time.nanoTime();
        Grant grant = late.granted(8, now + LONG.toNanos(), now);

        leases.lostAll("it is another holder now");
        leases.begin(late, grant, now, now);

        assertThat(held.loss()).isCompleted();
        assertThat(((Phase.Over) ticket.phase()).reason()).isEqualTo("it is another holder now");
        assertThat(late.isLost()).isTrue();
        assertThat(leases.names()).isEmpty();
    }

    @Test
    void releasedLeaseIsNotLost() {
        Acquisition held = test.hold(waits(Duration.ofMillis(40)), 7);
        Ticket ticket = held.ticket();
        assertThat(leases.names()).containsExactly(NAME.get(0).name());

        assertThat(leases.release(ticket, ticket.lastGrant())).isTrue();
        assertThat(leases.names()).isEmpty();
        test.time.advance(LONG);

        assertThat(leases.release(ticket, ticket.lastGrant())).isFalse();
        assertThat(held.loss()).isNotDone();
    }

    @Test
    void sleepOfTheMachineMakesTheEngineVerifyAtOnce() {
        Ticket ticket = test.hold(waits(LONG), 7).ticket();
        test.time.advanceWall(Duration.ofMillis(201));

        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> question = test.store.nextRenewal();
        assertThat(question.command().renewals()).containsExactly(new Renewal(NAME, ticket.id(), 0));
        assertThat(ticket.grant()).as("the wall clock itself declares no loss").isNotNull();

        long end = ticket.lastGrant().end();
        question.answer(List.of(List.of()));
        assertThat(ticket.lastGrant().end()).as("a question extends no lease").isEqualTo(end);
        assertThat(ticket.grant()).isNotNull();
    }

    @Test
    void lossDuringTheSleepIsNoticed() {
        Acquisition held = test.hold(waits(LONG), 7);
        Ticket ticket = held.ticket();
        long woken = System.nanoTime();
        test.time.advanceWall(Duration.ofMinutes(30));
        test.store.nextRenewal().answer(List.of(TestEngine.NAME));

        assertThat(held.loss()).isCompleted();
        assertThat(Duration.ofNanos(System.nanoTime() - woken))
                .as("250 ms, on a busy machine")
                .isLessThan(Duration.ofSeconds(1));
        assertThat(((Phase.Over) ticket.phase()).reason()).isEqualTo(LossReasons.UNKNOWN);
    }

    @Test
    void clocksThatAdvanceTogetherAreNoSleep() {
        Ticket ticket = test.hold(waits(LONG), 7).ticket();
        test.time.advance(Duration.ofMinutes(1));
        test.time.advanceWall(Duration.ofMillis(200));
        awaitClockChecks();
        assertThat(test.store.renewals).isEmpty();

        test.time.advanceWall(Duration.ofSeconds(-5));
        awaitClockChecks();
        assertThat(test.store.renewals).isEmpty();
        assertThat(ticket.grant()).isNotNull();
    }

    /** Waits for two ticks of the engine, which come every 250 ms. */
    private void awaitClockChecks() {
        long until = System.nanoTime() + Duration.ofMillis(550).toNanos();
        Awaitility.await().until(() -> System.nanoTime() - until > 0);
        test.settle();
    }

    @Test
    void leaseReleasedBeforeItIsMonitoredIsForgotten() {
        Ticket ticket = TestEngine.ticket(waits(LONG), test.time.nanoTime());
        long now = test.time.nanoTime();
        Grant grant = ticket.granted(7, now + LONG.toNanos(), now);
        // the waiter's time-out finds the grant, and its caller releases at once, before the granting thread goes on
        assertThat(leases.release(ticket, grant)).isTrue();

        leases.begin(ticket, grant, now, now);

        assertThat(leases.names()).isEmpty();
    }
}
