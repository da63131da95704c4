package dev.baton.lock.engine.lease;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.renewed;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.testing.LogCapture;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseRenewerTests {

    /** Is renewed after 200 ms, and 66 ms after a failure. */
    private static final Duration LEASE = Duration.ofMillis(600);
    /** Is renewed after 500 ms, which leaves time for other steps before. */
    private static final Duration LONGER = Duration.ofMillis(1500);

    private static final long USABLE = TestEngine.usable(LEASE).toNanos();

    private TestEngine test = new TestEngine();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void leaseIsRenewedRepeatedly() {
        Ticket ticket = test.hold(renewed(LEASE), 7).ticket();
        for (int i = 0; i < 3; i++) {
            long left = ticket.lastGrant().end() - test.time.nanoTime();
            FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
            assertThat(renewal.command())
                    .as("time is left for another try")
                    .isEqualTo(new RenewCommand(List.of(new Renewal(NAME, ticket.id(), 600)), left / 2));
            long sentAt = test.time.nanoTime();
            test.time.advance(Duration.ofMillis(20));
            renewal.answer(List.of(List.of()));

            assertThat(ticket.lastGrant().end() - sentAt)
                    .as("counted from the sending")
                    .isEqualTo(USABLE);
        }
    }

    @Test
    void leaseIsNotRenewedBeforeAThirdOfItHasPassed() {
        long before = System.nanoTime();
        test.hold(renewed(LEASE), 7);
        test.store.nextRenewal();

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("a third, rounded down by a twentieth at the most")
                .isGreaterThanOrEqualTo(Duration.ofMillis(170));
    }

    @Test
    void releasedLongLeaseLeavesNoTimer() {
        int before = test.engine.executors().pending();
        for (int i = 0; i < 20; i++) {
            Acquisition held = test.hold(renewed(Duration.ofHours(1 + i)), 7 + i);
            CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(test.lease(held)::release);
            test.store.nextEnd().answer(TestEngine.ended(EndReply.Role.HOLDER));
            assertThat(TestEngine.get(released)).isTrue();
        }

        Awaitility.await().until(() -> test.engine.executors().pending() <= before);
    }

    @Test
    void leasesDueTogetherShareACommand() {
        Ticket one = test.hold(renewed(LONGER), 7).ticket();
        Ticket other = test.hold(renewed(LONGER), 8).ticket();
        Ticket released = test.hold(renewed(LONGER), 9).ticket();
        test.hold(waits(LONGER), 10);
        assertThat(test.engine.leases().release(released, released.lastGrant())).isTrue();

        assertThat(test.store.nextRenewal().command().renewals())
                .extracting(Renewal::id)
                .containsExactlyInAnyOrder(one.id(), other.id());
    }

    @Test
    void oneCommandCarriesAtMost256Leases() {
        LeaseRenewer renewer = new LeaseRenewer(
                test.store, TestEngine.CALM, test.engine.executors(), test.time, (ticket, grant, reason) -> {});
        RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Ticket ticket = registry.ticket(new Acquisition(renewed(LONGER), test.time.nanoTime(), registry));
            ticket.granted(i, test.time.nanoTime() + LONGER.toNanos(), test.time.nanoTime());
            renewer.begin(ticket, test.time.nanoTime());
            tickets.add(ticket);
        }

        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> first = test.store.nextRenewal();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> second = test.store.nextRenewal();
        assertThat(first.command().renewals()).hasSize(256);
        assertThat(second.command().renewals()).hasSize(44);
        List<Renewal> both = new ArrayList<>(first.command().renewals());
        both.addAll(second.command().renewals());
        assertThat(both)
                .extracting(Renewal::id)
                .containsExactlyInAnyOrderElementsOf(
                        tickets.stream().map(ticket -> ticket.id()).toList());

        renewer.askNow(tickets);
        assertThat(test.store.nextRenewal().command().renewals()).hasSize(256);
        assertThat(test.store.nextRenewal().command().renewals()).hasSize(44);
    }

    @Test
    void oneCommandCarriesLeasesOfOnePartOfTheStore() {
        test.store.shards = name -> name.name().endsWith("1") ? 1 : 2;
        for (String name : List.of("a.1", "a.2", "b.1", "b.2", "c.1")) {
            test.hold(
                    TestEngine.spec(
                            List.of(new LockName("", name)),
                            LONGER,
                            true,
                            Duration.ofMinutes(1),
                            false,
                            RequestEvents.SILENT),
                    7);
        }

        List<List<String>> commands = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            commands.add(test.store.nextRenewal().command().renewals().stream()
                    .map(renewal -> renewal.names().get(0).name())
                    .sorted()
                    .toList());
        }
        assertThat(commands).containsExactlyInAnyOrder(List.of("a.1", "b.1", "c.1"), List.of("a.2", "b.2"));
    }

    @Test
    void leaseThatTheStoreNoLongerKnowsIsLost() {
        Acquisition held = test.hold(renewed(LONGER), 7);
        Ticket ticket = held.ticket();
        Ticket other = test.hold(renewed(LONGER), 8).ticket();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        renewal.answer(renewal.command().renewals().stream()
                .<List<LockName>>map(one -> one.id().equals(ticket.id()) ? one.names() : List.of())
                .toList());

        assertThat(held.loss()).isCompleted();
        assertThat(((Phase.Over) ticket.phase()).reason())
                .isEqualTo("Redis no longer knew it: it had expired, or was deleted");
        assertThat(test.store.nextEnd().command().id()).isEqualTo(ticket.id());
        assertThat(other.grant()).isNotNull();
        assertThat(test.store.nextRenewal().command().renewals())
                .extracting(Renewal::id)
                .containsExactly(other.id());
    }

    @Test
    void leaseWhoseRenewalIsNotAnsweredIsLostBeforeItEndsAtTheStore() {
        Acquisition held = test.hold(renewed(LEASE), 7);
        Ticket ticket = held.ticket();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        test.time.advance(TestEngine.usable(LEASE).minusNanos(1));
        assertThat(test.engine.leases().isLost(ticket, ticket.lastGrant(), test.time.nanoTime()))
                .isFalse();

        test.time.advance(Duration.ofNanos(1));
        Awaitility.await().until(() -> held.loss().isDone());

        assertThat(((Phase.Over) ticket.phase()).at() - ManualTime.START).isLessThan(LEASE.toNanos());
        FakeLockStore.Sent<?, ?> end = test.store.nextEnd();
        renewal.answer(List.of(List.of()));
        assertThat(ticket.grant()).as("a late answer revives nothing").isNull();
        assertThat(end).isNotNull();
    }

    @Test
    void anyAnswerAfterTheLocalEndIsALoss() {
        Acquisition held = test.hold(renewed(LONGER), 7);
        Ticket ticket = held.ticket();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        // long before the timer fires, because its delay is in real time
        test.time.advance(LONGER);
        renewal.answer(List.of(List.of()));

        assertThat(held.loss()).isCompleted();
        assertThat(((Phase.Over) ticket.phase()).reason()).isEqualTo("its lease ended and was not renewed");
    }

    @Test
    void failedRenewalIsRetriedWhileTheLeaseLasts() {
        Ticket ticket = test.hold(renewed(LEASE), 7).ticket();
        test.store.nextRenewal().fail(TestEngine.passing());
        test.store.nextRenewal().fail(TestEngine.refusal());
        assertThat(ticket.grant()).isNotNull();
        test.time.advance(Duration.ofMillis(100));
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> third = test.store.nextRenewal();
        third.answer(List.of(List.of()));

        assertThat(ticket.lastGrant().end() - ManualTime.START).isGreaterThanOrEqualTo(USABLE);
        assertThat(ticket.grant()).isNotNull();
    }

    /** The release and the renewal cross: the renewer still lists the ticket. */
    @Test
    void leaseThatIsReleasedWhenItsRenewalIsDueIsNotRenewed() {
        LeaseRenewer renewer = renewer(test.time);
        Ticket released = held("released", test.time);
        Ticket other = held("other", test.time);
        renewer.begin(released, test.time.nanoTime());
        renewer.begin(other, test.time.nanoTime());
        assertThat(released.end(released.lastGrant(), Phase.Why.RELEASED, test.time.nanoTime(), ""))
                .isTrue();

        assertThat(test.store.nextRenewal().command().renewals())
                .extracting(Renewal::id)
                .containsExactly(other.id());
        renewer.renewNow(released);
        assertThat(test.store.renewals).isEmpty();
    }

    /** The answer finds nothing to extend, and the lease stays released. */
    @Test
    void leaseThatIsReleasedWhileItsRenewalIsSentStaysReleased() {
        AtomicReference<Runnable> beforeSending = new AtomicReference<>(() -> {});
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                beforeSending.getAndSet(() -> {}).run();
                return test.time.nanoTime();
            }

            @Override
            public long wallMillis() {
                return test.time.wallMillis();
            }
        };
        LeaseRenewer renewer = renewer(time);
        Ticket ticket = held("i", time);
        long end = ticket.lastGrant().end();
        beforeSending.set(() -> ticket.end(ticket.lastGrant(), Phase.Why.RELEASED, test.time.nanoTime(), ""));
        renewer.renewNow(ticket);
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        assertThat(renewal.command().timeoutNanos())
                .as("no lease bounds it")
                .isEqualTo(TestEngine.CALM.commandTimeoutNanos());
        test.time.advance(Duration.ofMillis(10));
        renewal.answer(List.of(List.of()));
        assertThat(ticket.grant()).isNull();
        assertThat(ticket.lastGrant().end()).isEqualTo(end);
    }

    @Test
    void failedQuestionAfterASleepIsNotRepeated() throws Exception {
        Ticket ticket = test.hold(renewed(Duration.ofMinutes(10)), 7).ticket();
        test.time.advanceWall(Duration.ofSeconds(1));
        test.store.nextRenewal().fail(TestEngine.passing());
        passes(Duration.ofMillis(300));
        assertThat(test.store.renewals).as("the renewal comes in its own time").isEmpty();
        assertThat(ticket.grant()).isNotNull();
    }

    private LeaseRenewer renewer(TimeSource time) {
        return new LeaseRenewer(
                test.store, TestEngine.CALM, test.engine.executors(), time, (ticket, grant, reason) -> {});
    }

    private static Ticket held(String instance, TimeSource time) {
        RequestRegistry registry = new RequestRegistry(instance, Integer.MAX_VALUE);
        Ticket ticket = registry.ticket(new Acquisition(renewed(LONGER), time.nanoTime(), registry));
        ticket.granted(7, time.nanoTime() + LONGER.toNanos(), time.nanoTime());
        return ticket;
    }

    @Test
    void lostLeaseIsNotRenewed() throws Exception {
        Ticket ticket = test.hold(renewed(LEASE), 7).ticket();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        test.engine.leases().lost(ticket, ticket.lastGrant(), "it was deleted");
        renewal.fail(TestEngine.passing());

        passes(Duration.ofMillis(300));
        assertThat(test.store.renewals).isEmpty();
    }

    @Test
    void renewalStopsAtMaxHold() throws Exception {
        Ticket ticket = holdBeyondMaxHold();

        passes(Duration.ofMillis(600));
        assertThat(test.store.renewals).isEmpty();
        assertThat(ticket.grant()).as("the lock is held until its lease ends").isNotNull();
    }

    @Test
    void sleepOfTheMachineDoesNotExtendBeyondMaxHold() {
        Ticket ticket = holdBeyondMaxHold();
        test.time.advanceWall(Duration.ofSeconds(1));

        assertThat(test.store.nextRenewal().command().renewals()).containsExactly(new Renewal(NAME, ticket.id(), 0));
    }

    private Ticket holdBeyondMaxHold() {
        test.close();
        test = new TestEngine(TestEngine.settings(Duration.ofHours(1), Duration.ofMillis(100)));
        try (LogCapture log = new LogCapture(LeaseRenewer.class.getName())) {
            Ticket ticket = test.hold(renewed(LONGER), 7).ticket();
            test.time.advance(Duration.ofMillis(100));
            Awaitility.await().until(() -> !log.messages(Level.WARN).isEmpty());
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "Lock 'server_access.42' has been held by web-3:4711/http-7 for baton.max-hold and is no longer"
                                    + " renewed");
            return ticket;
        }
    }

    @Test
    void sleepOfTheMachineRenewsRenewedLeases() {
        Ticket ticket = test.hold(renewed(Duration.ofMinutes(10)), 7).ticket();
        test.time.advanceWall(Duration.ofSeconds(1));
        long sentAt = test.time.nanoTime();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        assertThat(renewal.command().renewals()).containsExactly(new Renewal(NAME, ticket.id(), 600_000));
        test.time.advance(Duration.ofSeconds(1));
        renewal.answer(List.of(List.of()));

        assertThat(ticket.lastGrant().end() - sentAt)
                .isEqualTo(TestEngine.usable(Duration.ofMinutes(10)).toNanos());
    }

    @Test
    void leaseIsExtendedToTheRequestedLength() {
        Ticket ticket = test.hold(renewed(LEASE), 7).ticket();
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        assertThat(renewal.command().renewals()).containsExactly(new Renewal(NAME, ticket.id(), 600));
        // the holder requests a longer lease, and its own command has not reached the store yet
        ticket.leaseNanos(Duration.ofMinutes(10).toNanos());
        renewal.answer(List.of(List.of()));

        assertThat(ticket.lastGrant().end() - ManualTime.START)
                .as("the store was asked for 600 ms")
                .isLessThanOrEqualTo(USABLE);
    }

    @Test
    void holderRenewsToALengthOfItsChoice() {
        Ticket ticket = test.hold(waits(LEASE), 7).ticket();
        long minute = Duration.ofMinutes(1).toNanos();
        CompletableFuture<Boolean> answer =
                test.engine.leases().renewer().renew(ticket, ticket.lastGrant(), minute, 55_000_000);
        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        assertThat(renewal.command())
                .isEqualTo(new RenewCommand(List.of(new Renewal(NAME, ticket.id(), 60_000)), 55_000_000));
        test.time.advance(Duration.ofMillis(5));
        renewal.answer(List.of(List.of()));

        assertThat(TestEngine.get(answer)).isTrue();
        assertThat(ticket.lastGrant().end() - ManualTime.START)
                .isEqualTo(TestEngine.usable(Duration.ofMinutes(1)).toNanos());
    }

    @Test
    void grantThatWasCountedFromAnEarlyTimeIsRenewedAtOnce() {
        Duration lease = Duration.ofMinutes(10);
        CompletableFuture<Acquisition> caller = test.acquire(waits(lease));
        FakeLockStore.Sent<AcquireCommand, ?> acquire = test.store.nextAcquire();
        test.time.advance(Duration.ofMinutes(4));
        test.engine.inbox().granted(NAME, id(acquire), 7);
        Ticket ticket = TestEngine.get(caller).ticket();
        assertThat(ticket.lastGrant().end() - ManualTime.START)
                .isEqualTo(TestEngine.usable(lease).toNanos());

        FakeLockStore.Sent<RenewCommand, List<List<LockName>>> renewal = test.store.nextRenewal();
        assertThat(renewal.command().renewals()).containsExactly(new Renewal(NAME, ticket.id(), 600_000));
        renewal.answer(List.of(List.of()));
        assertThat(ticket.lastGrant().end() - test.time.nanoTime())
                .isEqualTo(TestEngine.usable(lease).toNanos());
    }

    private static String id(FakeLockStore.Sent<AcquireCommand, ?> acquire) {
        return acquire.command().requests().get(0).id();
    }

    private void passes(Duration duration) throws InterruptedException {
        CountDownLatch later = new CountDownLatch(1);
        test.engine.executors().onAsker(duration.toNanos(), later::countDown);
        assertThat(later.await(5, TimeUnit.SECONDS)).isTrue();
    }
}
