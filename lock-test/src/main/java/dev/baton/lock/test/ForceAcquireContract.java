package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of a store that takes locks from their holders, and tells holders that their locks are wanted. */
abstract class ForceAcquireContract extends StoreFixture {

    private static final LockName SECOND = new LockName("", "orders.{eu}2");
    private static final List<LockName> TWO = List.of(NAME, SECOND);

    @Test
    void forcedRequestTakesTheLockAndTellsTheHolder() {
        long before = hold(a, 1);
        b.acquire(NAME, b.waits(2));
        ForceAcquireReply reply = b.force(List.of(NAME), ForceAcquireCommand.ANY, b.tries(1));
        Granted granted = (Granted) reply.answer();
        assertThat(granted.token()).isGreaterThan(before);
        assertThat(granted).isEqualTo(new Granted(granted.token(), false));
        assertThat(reply.taken()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).isEqualTo("owner a:1");
            assertThat(holder.fencingToken()).isEqualTo(before);
        });
        assertThat(onlyMessage(a)).isEqualTo(new Told("revoked", List.of(NAME), a.id(1), before));
        assertThat(inspect().holder()).map(LockHolder::fencingToken).contains(granted.token());
        assertThat(a.renew(List.of(NAME), 1, 90_000)).containsExactly(NAME);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        host.settle(b);
        assertThat(b.told).as("the waiter keeps its place").isEmpty();
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(b.id(2));
    }

    @Test
    void forcedRequestForAFreeLockTakesItFromNone() {
        ForceAcquireReply reply = a.force(List.of(NAME), ForceAcquireCommand.ANY, a.tries(1));
        assertThat(reply.answer()).isInstanceOf(Granted.class);
        assertThat(reply.taken()).isEmpty();
        assertThat(inspect().remaining()).isGreaterThan(Duration.ofSeconds(50));
    }

    @Test
    void repeatOfAForcedRequestIsTheSameGrant() {
        hold(a, 1);
        Granted first = (Granted)
                b.force(List.of(NAME), ForceAcquireCommand.ANY, b.tries(1)).answer();
        ForceAcquireReply again = b.force(List.of(NAME), ForceAcquireCommand.ANY, b.tries(1));
        assertThat(again.answer()).isEqualTo(new Granted(first.token(), true));
        assertThat(again.taken()).isEmpty();
        host.settle(b);
        assertThat(b.told).isEmpty();
    }

    @Test
    void forcedRequestThatHasEndedIsOver() {
        long before = hold(a, 1);
        b.end(List.of(NAME), 1, 0, 60_000);
        assertThat(b.force(List.of(NAME), ForceAcquireCommand.ANY, b.tries(1)).answer())
                .isEqualTo(new Over());
        assertThat(inspect().holder()).map(LockHolder::fencingToken).contains(before);
    }

    @Test
    void waiterThatTakesTheLockLeavesItsQueue() {
        long stuck = hold(a, 1);
        b.acquire(NAME, b.waits(1));
        assertThat(b.force(List.of(NAME), stuck, b.waits(1)).answer()).isInstanceOf(Granted.class);
        assertThat(inspect().waiting()).isZero();
    }

    @Test
    void onlyTheExpectedHolderLosesTheLock() {
        long stuck = hold(a, 1);
        a.end(NAME, 1);
        b.acquire(NAME, b.waits(1));
        long other = inspect().holder().orElseThrow().fencingToken();
        a.acquire(NAME, a.waits(2));
        ForceAcquireReply reply = a.force(List.of(NAME), stuck, a.waits(2));
        Busy busy = (Busy) reply.answer();
        assertThat(busy.holderId()).isEqualTo(b.id(1));
        assertThat(busy.mark()).isEqualTo(other);
        assertThat(reply.acquired().incomplete()).isFalse();
        assertThat(inspect().waiting()).isEqualTo(1);
        host.expire(NAME);
        reply = a.force(List.of(NAME), other, a.waits(2));
        assertThat(((Busy) reply.answer()).holder()).isNull();
        assertThat(reply.acquired().incomplete()).as("an acquire gets further").isTrue();
    }

    @Test
    void severalLocksAreTakenInOneStep() {
        long first = hold(a, 1);
        hold(a, SECOND, 2);
        ForceAcquireReply stuck = b.force(TWO, first, b.tries(1));
        assertThat(stuck.answer()).as("another has the second").isInstanceOf(Busy.class);
        ForceAcquireReply reply = b.force(TWO, ForceAcquireCommand.ANY, b.tries(1));
        long token = ((Granted) reply.answer()).token();
        assertThat(reply.taken()).hasSize(2);
        assertThat(inspect(NAME).holder()).map(LockHolder::fencingToken).contains(token);
        assertThat(inspect(SECOND).holder()).map(LockHolder::fencingToken).contains(token);
        host.settle(a);
        assertThat(a.told).extracting(Told::id).containsExactlyInAnyOrder(a.id(1), a.id(2));
    }

    @Test
    void processOfTheHolderIsToldThatItsLockIsWanted() {
        assertThat(b.tellHolders(NAME)).isZero();
        hold(a, 1);
        assertThat(b.tellHolders(NAME)).isOne();
        Told told = onlyMessage(a);
        assertThat(told.what()).isEqualTo("wanted");
        assertThat(told.names()).containsExactly(NAME);
        assertThat(told.id()).isEqualTo(a.id(1));
        a.end(List.of(NAME), 1, 30_000, 0);
        assertThat(b.tellHolders(NAME)).as("it is only kept").isZero();
    }
}
