package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseRenewer;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** For how long an end that is not answered is repeated: as long as the request may have something in the store. */
class OwedEndTests {

    private static final Duration LEASE = Duration.ofHours(10);

    private final FakeLockStore store = new FakeLockStore();
    private final ManualTime time = new ManualTime();
    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final List<Claim> forgotten = new CopyOnWriteArrayList<>();
    private final EndDispatcher ends = new EndDispatcher(
            store, TestEngine.CALM, executors, time, forgotten::add, (names, id, token, sentAt) -> {});
    private final Claim claim = new Claim("i:1", TestEngine.waits(LEASE), time.nanoTime());

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void endOfALeaseThatIsOverIsOwedOnlyAsLongAsACommandCanBeLate() {
        Grant grant = granted();
        time.advance(LEASE);
        claim.end(grant, Claim.Why.LOST, time.nanoTime(), LeaseRenewer.ENDED);
        FakeLockStore.Sent<EndCommand, EndReply> end = ended();
        time.advance(Duration.ofMinutes(21));
        end.fail(TestEngine.passing());

        Awaitility.await().until(ends::isSettled);
        assertThat(forgotten).containsExactly(claim);
    }

    @Test
    void endOfALeaseIsOwedUntilItWouldHaveEnded() {
        claim.end(granted(), Claim.Why.RELEASED, time.nanoTime(), "");
        FakeLockStore.Sent<EndCommand, EndReply> end = ended();
        time.advance(LEASE.minusMinutes(1));
        end.fail(TestEngine.passing());
        FakeLockStore.Sent<EndCommand, EndReply> repeat = store.nextEnd();
        time.advance(Duration.ofMinutes(1));
        repeat.fail(TestEngine.passing());

        Awaitility.await().until(ends::isSettled);
    }

    @Test
    void endOfARequestThatMayBeGrantedLateIsOwedForItsWholeLease() {
        claim.giveUp(time.nanoTime());
        FakeLockStore.Sent<EndCommand, EndReply> end = ended();
        time.advance(LEASE);
        end.fail(TestEngine.passing());

        assertThat(store.nextEnd().command().id()).isEqualTo(claim.id);
    }

    private Grant granted() {
        long now = time.nanoTime();
        return claim.granted(7, LeaseClock.end(now, LEASE.toNanos()), now);
    }

    private FakeLockStore.Sent<EndCommand, EndReply> ended() {
        ends.end(claim);
        return store.nextEnd();
    }
}
