package dev.baton.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that an unanswered end is repeated as long as the store may still know the request. */
class OwedEndTests {

    private static final Duration LEASE = Duration.ofHours(10);

    private final FakeLockStore store = new FakeLockStore();
    private final ManualTime time = new ManualTime();
    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
    private final EndDispatcher ends = new EndDispatcher(store, TestEngine.CALM, executors, time, registry);
    private final Ticket ticket = registry.ticket(new Acquisition(TestEngine.waits(LEASE), time.nanoTime(), registry));

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void endOfAnExpiredLeaseIsRetriedOnlyAsLongAsACommandCanBeLate() {
        Grant grant = granted();
        time.advance(LEASE);
        ticket.end(grant, Phase.Why.LOST, time.nanoTime(), LossReasons.ENDED);
        FakeLockStore.Sent<EndCommand, EndReply> end = ended();
        time.advance(Duration.ofMinutes(21));
        end.fail(TestEngine.passing());

        Awaitility.await().until(ends::isSettled);
        assertThat(registry.find(ticket.id())).isNull();
    }

    @Test
    void endOfALeaseIsRetriedUntilTheLeaseWouldHaveEnded() {
        ticket.end(granted(), Phase.Why.RELEASED, time.nanoTime(), "");
        FakeLockStore.Sent<EndCommand, EndReply> end = ended();
        time.advance(LEASE.minusMinutes(1));
        end.fail(TestEngine.passing());
        FakeLockStore.Sent<EndCommand, EndReply> repeat = store.nextEnd();
        time.advance(Duration.ofMinutes(1));
        repeat.fail(TestEngine.passing());

        Awaitility.await().until(ends::isSettled);
    }

    @Test
    void endOfARequestThatMayBeGrantedLateIsRetriedForItsWholeLease() {
        ticket.giveUp(time.nanoTime());
        FakeLockStore.Sent<EndCommand, EndReply> end = ended();
        time.advance(LEASE);
        end.fail(TestEngine.passing());

        assertThat(store.nextEnd().command().id()).isEqualTo(ticket.id());
    }

    private Grant granted() {
        long now = time.nanoTime();
        return ticket.granted(7, LeaseClock.end(now, LEASE.toNanos()), now);
    }

    private FakeLockStore.Sent<EndCommand, EndReply> ended() {
        ends.end(ticket);
        return store.nextEnd();
    }
}
