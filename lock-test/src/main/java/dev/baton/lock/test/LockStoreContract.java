package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.Tokens;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link dev.baton.lock.store.LockStore} with all traits: messages tell of grants, tokens are reserved,
 * leases can be extended, requests can share locks and await conditions, and a request for several locks may wait in the
 * queues. The tests are written for JUnit Jupiter and AssertJ, which the application adds. The test class of a store extends
 * this class and says by {@link #host()} where the store keeps its locks. Each test starts stores of its own. Tests wait for
 * answers for at most ten seconds.
 */
public abstract class LockStoreContract extends PermitsContract {

    private static final int RESERVE = 1_000;

    @Test
    void waiterOfTheProcessThatEndsLearnsOfItsGrantOnce() {
        long first = hold(a, 1);
        a.acquire(NAME, StoreProcess.reserving(a.waits(2), RESERVE));
        b.acquire(NAME, b.waits(1));
        host.pass(ROOM);
        long token = learnt(a, a.end(NAME, 1), a, 2);
        assertThat(token).isGreaterThan(first);
        assertThat(holderToken()).isEqualTo(token);
        assertThat(mark()).isEqualTo(token + RESERVE);
        assertThat(learnt(a, a.end(NAME, 2), b, 1)).isGreaterThan(token + RESERVE);
    }

    /** The answer to what ended it the first time is lost: only asking tells of the grant. */
    @Test
    void repeatOfAnEndTellsOfNoGrant() {
        hold(a, 1);
        a.acquire(NAME, a.waits(2));
        long token = learnt(a, a.end(NAME, 1), a, 2);
        assertThat(a.end(NAME, 1)).isEqualTo(new EndReply(Role.NOTHING, List.of(), false, false));
        assertThat(a.acquire(NAME, a.waits(2)).answers()).containsExactly(new Granted(token, true));
        host.settle(a);
        assertThat(a.told).isEmpty();
    }

    @Test
    void waiterOfTheSameProcessThatHasGivenUpIsPassed() {
        hold(a, 1);
        a.acquire(NAME, a.waits(2));
        b.acquire(NAME, b.waits(1));
        a.end(NAME, 2);
        learnt(a, a.end(NAME, 1), b, 1);
        host.settle(a);
        assertThat(a.told).isEmpty();
    }

    @Test
    void waiterForSeveralLocksIsNotifiedByAMessageAlsoByItsOwnProcess() {
        List<LockName> both = List.of(NAME, new LockName("", "orders.{eu}2"));
        hold(a, 1);
        a.acquire(both, StoreProcess.RECHECK, a.waits(2));
        EndReply answer = a.end(NAME, 1);
        assertThat(answer.token()).isEmpty();
        assertThat(answer.handedTo()).containsExactly(a.id(2));
        assertThat(onlyMessage(a).names()).isEqualTo(both);
    }

    /** The answer to the end of one lock does not tell of others. */
    @Test
    void ownWaiterThatCannotBeToldOfAnotherLockIsPassedThere() {
        LockName other = new LockName("", "orders.{eu}2");
        StoreProcess deaf = host.start("deaf", false);
        hold(deaf, 1);
        a.acquire(other, a.tries(1));
        deaf.acquire(other, deaf.waits(2));
        a.end(other, 1);
        a.acquire(List.of(NAME, other), StoreProcess.RECHECK, a.waits(2));
        assertThat(deaf.end(NAME, 1).handedTo()).containsExactly(a.id(2));
        assertThat(onlyMessage(a).id()).isEqualTo(a.id(2));
        deaf.close();
    }

    @Test
    void waiterThatIsSilentInOneQueueIsPassedInItsOther() {
        List<LockName> both = List.of(NAME, new LockName("", "orders.{eu}2"));
        StoreProcess silent = host.start("silent", true);
        hold(a, 1);
        silent.acquire(both, BRIEF, silent.request(1, Kind.MESSAGE, StoreProcess.LEASE, -1, 0));
        b.acquire(both, StoreProcess.RECHECK, b.waits(1));
        recheckUntilOthersAreSilent(a, a.polls(2));
        a.end(NAME, 1);
        assertThat(onlyMessage(b).names()).containsExactlyElementsOf(both);
        silent.close();
    }

    @Test
    void tokensThatAGrantReservesAreGivenToNoOtherGrant() {
        hold(a, 3);
        host.pass(ROOM);
        AcquireReply reply = a.exchange(NAME, 3, 0, StoreProcess.reserving(a.waits(1), 1_000))
                .acquired();
        Granted first = (Granted) reply.answers().get(0);
        assertThat(Tokens.kept(first.token(), 1_000)).isEqualTo(1_000);
        reply = b.acquire(NAME, StoreProcess.reserving(b.waits(1), 5));
        Busy busy = (Busy) reply.answers().get(0);
        assertThat(busy.mark()).isEqualTo(first.token() + 1_000);
        assertThat(holder(busy).fencingToken()).isEqualTo(first.token());
        host.pass(ROOM);
        a.end(NAME, 1);
        long next = onlyMessage(b).token();
        assertThat(next).isGreaterThan(busy.mark());
        assertThat(((Busy) a.acquire(NAME, a.tries(2)).answers().get(0)).mark()).isEqualTo(next + 5);
    }

    @Test
    void endOfSeveralLocksTellsOfNoGrantInItsAnswer() {
        List<LockName> both = List.of(NAME, new LockName("", "orders.{eu}2"));
        a.acquire(both, StoreProcess.RECHECK, a.waits(1));
        a.acquire(NAME, a.waits(2));
        a.acquire(both.get(1), a.waits(3));
        EndReply answer = a.end(both, 1, 0, 0);
        assertThat(answer.token()).isEmpty();
        assertThat(answer.handedTo()).containsExactly(a.id(2), a.id(3));
        host.settle(a);
        assertThat(a.told).extracting(Told::id).containsExactly(a.id(2), a.id(3));
    }

    @Test
    void leaseWithoutWaitersIsExtendedWithFreshTokens() {
        long first = hold(a, 1);
        host.pass(ROOM);
        ExtendReply reply = a.extend(NAME, 1, 120_000, RESERVE);
        assertThat(reply.held()).isTrue();
        long token = reply.token().orElseThrow();
        assertThat(token).isGreaterThan(first);
        assertThat(inspect().holder()).hasValueSatisfying(holder -> {
            assertThat(holder.owner()).isEqualTo("owner a:1");
            assertThat(holder.fencingToken())
                    .as("known by the token it was granted")
                    .isEqualTo(first);
            assertThat(holder.remaining()).isGreaterThan(Duration.ofSeconds(110));
        });
        assertThat(mark()).isEqualTo(token + RESERVE);
    }

    /** Also by whom an earlier one has reserved them. */
    @Test
    void tokensThatAnExtensionReservesAreGivenToNoOtherGrant() {
        hold(a, 1);
        host.pass(ROOM);
        long first = a.extend(NAME, 1, 1_000, RESERVE).token().orElseThrow();
        host.pass(ROOM);
        long second = a.extend(NAME, 1, 1_000, RESERVE).token().orElseThrow();
        assertThat(second).isGreaterThan(first + RESERVE);
        LockName other = new LockName("", "orders.{eu}2");
        assertThat(hold(b, other, 1)).isGreaterThan(second + RESERVE);
        b.acquire(NAME, b.waits(2));
        assertThat(learnt(a, a.end(NAME, 1), b, 2)).isGreaterThan(second + RESERVE);
    }

    /** So a store that loses all data begins above whatever it has given. */
    @Test
    void tokensThatWouldReachTooFarAheadOfTheClockAreNotKept() {
        hold(a, 1);
        assertThat(a.extend(NAME, 1, 120_000, (int) Tokens.MOST_AHEAD + 1)).isEqualTo(ExtendReply.WANTED);
        assertThat(inspect().remaining()).isLessThan(Duration.ofSeconds(61));
        a.acquire(NAME, StoreProcess.reserving(a.waits(2), (int) Tokens.MOST_AHEAD + 1));
        long token = learnt(a, a.end(NAME, 1), a, 2);
        assertThat(Tokens.kept(token, 1)).isZero();
        assertThat(mark()).isEqualTo(token);
    }

    @Test
    void tokensGrowAfterALossOfAllData() {
        long last = hold(a, 1);
        for (int i = 2; i < 50; i++) {
            host.clear();
            host.tick();
            long token = hold(a, i);
            assertThat(token).isGreaterThan(last);
            a.acquire(NAME, StoreProcess.reserving(a.waits(100 + i), RESERVE));
            learnt(a, a.end(NAME, i), a, 100 + i);
            last = mark();
        }
    }

    @Test
    void leaseIsNotShortenedByIt() {
        hold(a, 1);
        host.pass(ROOM);
        assertThat(a.extend(NAME, 1, 1_000, 1).token()).isPresent();
        assertThat(inspect().remaining()).isGreaterThan(Duration.ofSeconds(50));
    }

    @Test
    void lockThatOthersWaitForStaysAsItIs() {
        long first = hold(a, 1);
        b.acquire(NAME, b.waits(1));
        assertThat(a.extend(NAME, 1, 120_000, RESERVE)).isEqualTo(ExtendReply.WANTED);
        assertThat(inspect().remaining()).isLessThan(Duration.ofSeconds(61));
        assertThat(mark()).isEqualTo(first);
    }

    @Test
    void requestThatDoesNotHoldTheLockExtendsNothing() {
        ExtendReply nothing = new ExtendReply(false, OptionalLong.empty());
        assertThat(a.extend(NAME, 1, 1_000, RESERVE)).isEqualTo(nothing);
        long first = hold(a, 1);
        assertThat(b.extend(NAME, 1, 120_000, RESERVE)).isEqualTo(nothing);
        assertThat(a.extend(NAME, 2, 120_000, RESERVE)).isEqualTo(nothing);
        assertThat(inspect().remaining()).isLessThan(Duration.ofSeconds(61));
        assertThat(mark()).isEqualTo(first);
        b.acquire(NAME, b.waits(2));
        a.end(NAME, 1);
        assertThat(a.extend(NAME, 1, 1_000, RESERVE))
                .as("the waiter for the next one")
                .isEqualTo(nothing);
    }

    @Test
    void lockThatIsKeptFromOthersHasNoHolderToExtend() {
        hold(a, 1);
        a.end(List.of(NAME), 1, 30_000, 0);
        assertThat(a.extend(NAME, 1, 60_000, RESERVE).held()).isFalse();
        assertThat(inspect().remaining()).isLessThan(Duration.ofSeconds(31));
    }

    private long holderToken() {
        return inspect().holder().orElseThrow().fencingToken();
    }

    /** The highest token given so far, or reserved. */
    private long mark() {
        return ((Busy) b.acquire(NAME, b.tries(9)).answers().get(0)).mark();
    }
}
