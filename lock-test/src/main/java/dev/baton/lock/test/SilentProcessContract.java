package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract of every store for processes of which nothing is heard any more. */
abstract class SilentProcessContract extends ForceAcquireContract {

    /** A recheck after which a process soon counts as silent. */
    static final Duration BRIEF = Duration.ofMillis(20);
    /** Longer than any process with that recheck counts as alive. */
    private static final Duration SILENCE = BRIEF.multipliedBy(5);
    /** Longer than what is known of waiters with that recheck is kept. */
    private static final Duration FORGOTTEN = BRIEF.multipliedBy(15);

    @Test
    void waiterThatWasSilentForTooLongIsPassed() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        recheckUntilOthersAreSilent(a, a.polls(2));
        assertThat(a.end(NAME, 1).handedTo()).containsExactly(a.id(2));
        host.settle(b);
        assertThat(b.told).isEmpty();
    }

    @Test
    void processThatRechecksOneOfItsWaitersKeepsAllOfThem() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        recheckUntilOthersAreSilent(a, a.polls(2));
        b.acquire(NAME, b.waits(2));
        a.acquire(NAME, a.polls(2));
        learnt(a, a.end(NAME, 1), b, 1);
        assertThat(inspect().waiting()).isEqualTo(2);
    }

    /** Also those that a later search meets, at a time when the process could not be known to be silent. */
    @Test
    void waitersOfASilentProcessGoTogether() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        a.acquire(NAME, a.polls(2));
        b.acquire(List.of(NAME), BRIEF, b.waits(3));
        recheckUntilOthersAreSilent(a, a.polls(2));
        assertThat(a.end(NAME, 1).handedTo()).containsExactly(a.id(2));
        host.pass(SILENCE);
        a.acquire(List.of(NAME), BRIEF, a.polls(4));
        assertThat(a.end(NAME, 2).handedTo()).containsExactly(a.id(4));
        assertThat(inspect().waiting()).isZero();
        host.settle(b);
        assertThat(b.told).isEmpty();
    }

    @Test
    void firstRecheckAfterAPauseOfAllProcessesMakesNoProcessSilent() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        a.acquire(NAME, a.polls(2));
        host.pass(SILENCE);
        a.acquire(List.of(NAME), BRIEF, a.polls(2));
        learnt(a, a.end(NAME, 1), b, 1);
    }

    @Test
    void processThatIsSilentAfterAPauseOfAllProcessesIsGone() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        a.acquire(NAME, a.polls(2));
        host.pass(SILENCE);
        a.acquire(List.of(NAME), BRIEF, a.polls(2));
        recheckUntilOthersAreSilent(a, a.polls(2));
        assertThat(a.end(NAME, 1).handedTo()).containsExactly(a.id(2));
    }

    @Test
    void silentProcessThatComesBackIsQueuedAgain() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        recheckUntilOthersAreSilent(a, a.polls(2));
        a.end(NAME, 1);
        assertThat(inspect().waiting())
                .as("the silent process has lost its place")
                .isZero();
        a.acquire(NAME, a.polls(3));
        assertThat(b.acquire(NAME, b.waits(1)).answers()).hasOnlyElementsOfType(Busy.class);
        assertThat(inspect().waiting()).isEqualTo(2);
        assertThat(a.end(NAME, 2).handedTo()).containsExactly(a.id(3));
        learnt(a, a.end(NAME, 3), b, 1);
    }

    /** The process asks for its oldest waiter first, and learns from the answer that the others have to ask as well. */
    @Test
    void silentProcessThatComesBackIsQueuedAgainInItsOrder() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1), b.waits(2), b.waits(3));
        recheckUntilOthersAreSilent(a, a.polls(2));
        a.end(NAME, 1);
        a.acquire(NAME, a.polls(3));
        assertThat(b.acquire(NAME, b.waits(1)).joined()).isTrue();
        assertThat(b.acquire(NAME, b.waits(2), b.waits(3)).joined()).isTrue();
        assertThat(b.acquire(NAME, b.waits(1), b.waits(2), b.waits(3)).joined()).isFalse();
        assertThat(a.end(NAME, 2).handedTo()).containsExactly(a.id(3));
        for (int number = 1; number <= 3; number++) {
            EndReply end = number == 1 ? a.end(NAME, 3) : b.end(NAME, number - 1);
            assertThat(end.handedTo()).containsExactly(b.id(number));
        }
    }

    @Test
    void queueOfWhichNothingIsHeardIsForgotten() {
        hold(a, 1);
        b.acquire(List.of(NAME), BRIEF, b.waits(1));
        host.pass(FORGOTTEN);
        assertThat(inspect().waiting()).isZero();
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.HOLDER);
        host.settle(b);
        assertThat(b.told).isEmpty();
    }

    @Test
    void waiterThatLostOnePlaceIsGrantedWhenItAsksAgain() {
        List<LockName> both = List.of(NAME, new LockName("", "orders.{eu}2"));
        hold(a, 1);
        a.acquire(NAME, a.waits(2));
        b.acquire(both, BRIEF, b.waits(1));
        host.pass(FORGOTTEN);
        a.end(NAME, 2);
        a.end(NAME, 1);
        host.settle(b);
        assertThat(b.told).isEmpty();
        assertThat(b.acquire(both, StoreProcess.RECHECK, b.waits(1)).answers()).hasOnlyElementsOfType(Granted.class);
    }

    /**
     * Lets a process wait and recheck until every process with the {@link #BRIEF} recheck has been silent for too long. A
     * pause of this machine between two rechecks begins another run, in which the silence counts from its beginning.
     */
    void recheckUntilOthersAreSilent(StoreProcess process, Request polling) {
        Duration step = BRIEF.dividedBy(4);
        process.acquire(NAME, polling);
        for (Duration silent = Duration.ZERO; silent.compareTo(SILENCE) < 0; silent = silent.plus(step)) {
            long before = System.nanoTime();
            host.pass(step);
            process.acquire(NAME, polling);
            if (System.nanoTime() - before > BRIEF.toNanos()) {
                silent = Duration.ZERO;
            }
        }
    }
}
