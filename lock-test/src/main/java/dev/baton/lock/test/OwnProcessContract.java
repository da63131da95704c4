package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.Tokens;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract of every store for a process that passes a lock on to itself, with the helpers of its tests. */
abstract class OwnProcessContract {

    static final LockName NAME = new LockName("", "orders.1");
    static final long TIMEOUT = TimeUnit.SECONDS.toNanos(5);

    private static final int RESERVE = 1_000;
    /** By then tokens can be kept, however many were given just before. */
    static final Duration ROOM = Duration.of(2 * Tokens.MOST_AHEAD, ChronoUnit.MICROS);

    StoreHost host;
    StoreProcess a;
    StoreProcess b;

    /** Returns a new place for locks, which the test closes. */
    protected abstract StoreHost host();

    @BeforeEach
    void start() {
        host = host();
        a = host.start("a", true);
        b = host.start("b", true);
    }

    @AfterEach
    void stop() {
        try {
            a.close();
            b.close();
        } finally {
            host.close();
        }
    }

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
        List<LockName> both = List.of(NAME, new LockName("", "orders.2"));
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
        LockName other = new LockName("", "orders.2");
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
    void endOfSeveralLocksTellsOfNoGrantInItsAnswer() {
        List<LockName> both = List.of(NAME, new LockName("", "orders.2"));
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
        LockName other = new LockName("", "orders.2");
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

    /**
     * The token of a grant of which its process learns in one way, by the answer to its own end or by a message; of one of another
     * process, by a message.
     */
    long learnt(StoreProcess ending, EndReply answer, StoreProcess next, int number) {
        assertThat(answer)
                .isEqualTo(
                        new EndReply(Role.HOLDER, List.of(), false, false, List.of(next.id(number)), answer.token()));
        if (ending == next && answer.token().isPresent()) {
            host.settle(next);
            assertThat(next.told).as("the answer has told it").isEmpty();
            return answer.token().getAsLong();
        }
        assertThat(answer.token()).isEmpty();
        Told told = onlyMessage(next);
        assertThat(told).isEqualTo(new Told("granted", List.of(NAME), next.id(number), told.token()));
        return told.token();
    }

    Told onlyMessage(StoreProcess process) {
        host.settle(process);
        assertThat(process.told).hasSize(1);
        return process.told.remove();
    }

    static long hold(StoreProcess process, int number) {
        return hold(process, NAME, number);
    }

    static long hold(StoreProcess process, LockName name, int number) {
        return ((Granted) process.acquire(name, process.tries(number)).answers().get(0)).token();
    }

    LockState inspect() {
        return StoreProcess.answer(b.store.administration().inspect(NAME, 10, TIMEOUT));
    }

    private long holderToken() {
        return inspect().holder().orElseThrow().fencingToken();
    }

    /** The highest token given so far, or reserved. */
    private long mark() {
        return ((Busy) b.acquire(NAME, b.tries(9)).answers().get(0)).mark();
    }
}
