package dev.baton.lock.engine.lease;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockListener;
import dev.baton.lock.engine.event.ListenerNotifier;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.Grant;
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
        Claim claim = test.hold(waits(lease), 7);
        test.time.advance(TestEngine.usable(lease).minusNanos(1));
        assertThat(leases.isLost(claim, claim.lastGrant(), test.time.nanoTime()))
                .isFalse();
        assertThat(claim.grant()).isNotNull();

        test.time.advance(Duration.ofNanos(1));

        Awaitility.await().until(() -> claim.grant() == null);
        assertThat(claim.phase())
                .isEqualTo(new Claim.Over(
                        claim.lastGrant(),
                        Claim.Why.LOST,
                        ManualTime.START + TestEngine.usable(lease).toNanos(),
                        "its lease ended and was not renewed"));
        assertThat(test.store.nextEnd().command().id()).isEqualTo(claim.id);
        assertThat(leases.names()).isEmpty();
    }

    @Test
    void lossIsNoticedByWhoAsksBeforeTheTimerDoes() {
        Claim claim = test.hold(waits(LONG), 7);
        test.time.advance(LONG);

        assertThat(leases.release(claim, claim.lastGrant())).isFalse();
        assertThat(claim.lost).isCompleted();
        assertThat(test.store.nextEnd().command().id()).isEqualTo(claim.id);
    }

    @Test
    void lossIsReportedOnce() {
        try (LogCapture log = new LogCapture(LeaseMonitor.class.getName())) {
            Claim claim = test.hold(waits(LONG), 7);
            Grant grant = claim.lastGrant();

            leases.lost(claim, grant, "it was deleted");
            leases.lost(claim, grant, "again");

            assertThat(log.messages(Level.WARN))
                    .containsExactly("Lock 'server_access.42' was lost by i:t7 (token 7): it was deleted");
            test.settle();
            assertThat(test.store.ends).hasSize(1);
        }
    }

    @Test
    void lossSaysInKeyValuePairsOfWhat() {
        LockListener.Request request =
                new LockListener.Request(1, "", List.of("server_access.42"), "server_access", "i:t7", "web-3");
        ListenerNotifier notifier = new ListenerNotifier(List.of(new LockListener() {}), null);
        RequestEvents events = new RequestEvents(notifier, test.time, () -> request);
        events.asked();
        try (LogCapture log = new LogCapture(LeaseMonitor.class.getName())) {
            Claim claim = test.hold(waits(LONG).events(events), 7);

            leases.lost(claim, claim.lastGrant(), "it was deleted");

            assertThat(log.pairs(Level.WARN))
                    .containsExactly(
                            Map.of("lock", "server_access.42", "scope", "server_access", "owner", "i:t7", "token", 7L));
        }
    }

    @Test
    void allAreLostAlsoThoseThatAreStillToBegin() {
        Claim claim = test.hold(waits(LONG), 7);
        Claim late = new Claim("i:2", waits(LONG), test.time.nanoTime());
        long now = test.time.nanoTime();
        Grant grant = late.granted(8, now + LONG.toNanos(), now);

        leases.lostAll("it is another holder now");
        leases.begin(late, grant, now, now);

        assertThat(claim.lost).isCompleted();
        assertThat(((Claim.Over) claim.phase()).reason()).isEqualTo("it is another holder now");
        assertThat(late.lost).isCompleted();
        assertThat(leases.names()).isEmpty();
    }

    @Test
    void releasedLeaseIsNotLostAnyMore() {
        Claim claim = test.hold(waits(Duration.ofMillis(40)), 7);
        assertThat(leases.names()).containsExactly(NAME.get(0).name());

        assertThat(leases.release(claim, claim.lastGrant())).isTrue();
        assertThat(leases.names()).isEmpty();
        test.time.advance(LONG);

        assertThat(leases.release(claim, claim.lastGrant())).isFalse();
        assertThat(claim.lost).isNotDone();
    }

    @Test
    void sleepOfTheMachineMakesTheEngineAskAtOnce() {
        Claim claim = test.hold(waits(LONG), 7);
        test.time.advanceWall(Duration.ofMillis(201));

        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> question = test.store.nextRenewal();
        assertThat(question.command().renewals()).containsExactly(new Renewal(NAME, claim.id, 0));
        assertThat(claim.grant()).as("the wall clock itself declares no loss").isNotNull();

        long end = claim.lastGrant().end();
        question.answer(List.of(List.of()));
        assertThat(claim.lastGrant().end()).as("asking extends nothing").isEqualTo(end);
        assertThat(claim.grant()).isNotNull();
    }

    @Test
    void lossDuringTheSleepIsNoticed() {
        Claim claim = test.hold(waits(LONG), 7);
        test.time.advanceWall(Duration.ofMinutes(30));
        test.store.nextRenewal().answer(List.of(TestEngine.NAME));

        assertThat(claim.lost).isCompleted();
        assertThat(((Claim.Over) claim.phase()).reason()).isEqualTo(LeaseRenewer.UNKNOWN);
    }

    @Test
    void clocksThatGoOnTogetherAreNoSleep() {
        Claim claim = test.hold(waits(LONG), 7);
        test.time.advance(Duration.ofMinutes(1));
        test.time.advanceWall(Duration.ofMillis(200));
        looksAtTheClock();
        assertThat(test.store.renewals).isEmpty();

        test.time.advanceWall(Duration.ofSeconds(-5));
        looksAtTheClock();
        assertThat(test.store.renewals).isEmpty();
        assertThat(claim.grant()).isNotNull();
    }

    /** Two of the engine's ticks, which come every 250 ms, pass. */
    private void looksAtTheClock() {
        long until = System.nanoTime() + Duration.ofMillis(550).toNanos();
        Awaitility.await().until(() -> System.nanoTime() - until > 0);
        test.settle();
    }

    @Test
    void leaseReleasedWhileItsGrantWasBeingTakenInIsForgotten() {
        Claim claim = new Claim("i:1", waits(LONG), test.time.nanoTime());
        long now = test.time.nanoTime();
        Grant grant = claim.granted(7, now + LONG.toNanos(), now);
        // the waiter's time-out finds the grant, and its caller releases at once, before the granting thread goes on
        assertThat(leases.release(claim, grant)).isTrue();

        leases.begin(claim, grant, now, now);

        assertThat(leases.names()).isEmpty();
    }
}
