package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Awaited;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract of a store whose requests can await conditions of their lock. */
abstract class ConditionsContract extends SharedLocksContract {

    static final String EMPTY = "notEmpty";
    static final String FULL = "notFull";

    private static final SignalReply NOT_PERMITTED = new SignalReply(false, 0);

    @Test
    void awaitGivesTheLockToTheNextWaiterInOneStep() {
        hold(a, 1);
        b.acquire(NAME, b.waits(1));
        AwaitReply reply = a.await(NAME, 1, a.awaits(EMPTY, 2));
        assertThat(reply.awaits()).isTrue();
        assertThat(reply.handedTo()).containsExactly(b.id(1));
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(state(a, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
    }

    @Test
    void repeatedAwaitIsAnsweredAsTheFirst() {
        hold(a, 1);
        a.await(NAME, 1, a.awaits(EMPTY, 2));
        assertThat(a.await(NAME, 1, a.awaits(EMPTY, 2)).awaits()).isTrue();
        signal(b, 1, EMPTY);
        assertThat(a.await(NAME, 1, a.awaits(EMPTY, 2)).awaits())
                .as("in the queue")
                .isTrue();
        b.end(NAME, 1);
        assertThat(a.await(NAME, 1, a.awaits(EMPTY, 2)).awaits())
                .as("as the holder")
                .isTrue();
        assertThat(inspect().holder().orElseThrow().owner()).isEqualTo("owner " + a.id(2));
    }

    @Test
    void awaitOfARequestThatDoesNotHoldTheLockChangesNothing() {
        hold(a, 1);
        assertThat(b.await(NAME, 1, b.awaits(EMPTY, 2)).awaits()).isFalse();
        assertThat(inspect().holder().orElseThrow().owner()).isEqualTo("owner " + a.id(1));
        assertThat(a.signal(NAME, 1, EMPTY, 1)).isEqualTo(new SignalReply(true, 0));
    }

    @Test
    void readerCannotAwait() {
        a.acquire(NAME, a.reads(NAME, 1));
        assertThat(a.await(NAME, 1, a.awaits(EMPTY, 2)).awaits()).isFalse();
        assertThat(a.signal(NAME, 1, EMPTY, 1)).isEqualTo(NOT_PERMITTED);
    }

    @Test
    void awaitOfARequestThatHasEndedIsRefused() {
        hold(a, 1);
        a.end(List.of(NAME), 2, 0, 60_000);
        assertThat(a.await(NAME, 1, a.awaits(EMPTY, 2)).awaits()).isFalse();
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.HOLDER);
    }

    @Test
    void lateAcquireOfTheHolderIsRefusedAfterAwait() {
        hold(a, 1);
        a.await(NAME, 1, a.awaits(EMPTY, 2));
        assertThat(a.acquire(NAME, a.waits(1)).answers()).containsExactly(new Over());
    }

    @Test
    void signalledRequestIsGrantedTheLockAfterThoseThatWaited() {
        awaits(a, 1, EMPTY, 2);
        hold(b, 1);
        b.acquire(NAME, b.waits(3));
        assertThat(b.signal(NAME, 1, EMPTY, 1)).isEqualTo(new SignalReply(true, 1));
        assertThat(inspect().waiting()).isEqualTo(2);
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(b.id(3));
        assertThat(b.end(NAME, 3).handedTo()).containsExactly(a.id(2));
        Told told = onlyMessage(a);
        assertThat(told.id()).isEqualTo(a.id(2));
        AcquireReply again = acquire(a, EMPTY, 2, true);
        assertThat(again.answers()).containsExactly(new Granted(told.token(), true));
        assertThat(again.conditions()).isEqualTo(Map.of(a.id(2), Awaited.SIGNALLED));
    }

    @Test
    void tokensGrowAcrossAwait() {
        long first = hold(a, 1);
        a.await(NAME, 1, a.awaits(EMPTY, 2));
        long second = hold(b, 1);
        b.signal(NAME, 1, EMPTY, 1);
        b.end(NAME, 1);
        assertThat(List.of(first, second, onlyMessage(a).token())).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void requestsAreSignalledInTheirOrder() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        awaits(a, 3, EMPTY, 4);
        signal(b, 5, EMPTY);
        assertThat(b.end(NAME, 5).handedTo()).containsExactly(a.id(2));
        a.signal(NAME, 2, EMPTY, 5);
        assertThat(a.endTaken(NAME, 2).handedTo()).containsExactly(b.id(2));
        assertThat(b.endTaken(NAME, 2).handedTo()).containsExactly(a.id(4));
    }

    @Test
    void signalReachesRequestsAtItsConditionOnly() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, FULL, 2);
        hold(a, 3);
        assertThat(a.signal(NAME, 3, FULL, 5).signalled()).isEqualTo(1);
        assertThat(a.signal(NAME, 3, FULL, 5).signalled()).isZero();
        assertThat(state(a, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
        assertThat(state(b, FULL, 2)).isEqualTo(Awaited.SIGNALLED);
    }

    @Test
    void conditionsOfOtherLocksAreOthers() {
        LockName other = new LockName("", "orders.{eu}2");
        awaits(a, 1, EMPTY, 2);
        hold(b, other, 1);
        assertThat(b.signal(other, 1, EMPTY, 5).signalled()).isZero();
    }

    @Test
    void signalNeedsTheLockUnlessItIsUnchecked() {
        awaits(a, 1, EMPTY, 2);
        assertThat(b.signal(NAME, 7, EMPTY, 1)).isEqualTo(NOT_PERMITTED);
        assertThat(b.signal(NAME, 0, EMPTY, 1)).isEqualTo(new SignalReply(true, 1));
        assertThat(onlyMessage(a).id()).as("the lock was free").isEqualTo(a.id(2));
    }

    @Test
    void uncheckedSignalLeavesALockToItsHolder() {
        awaits(a, 1, EMPTY, 2);
        hold(b, 1);
        a.signal(NAME, 0, EMPTY, 1);
        host.settle(a);
        assertThat(a.told).isEmpty();
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(a.id(2));
    }

    @Test
    void signalToAnOwnerReachesItsRequestsOnly() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        assertThat(a.signal(NAME, "", EMPTY, 1, "owner " + b.id(2))).isEqualTo(new SignalReply(true, 1));
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(2));
        assertThat(state(a, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
        assertThat(a.signal(NAME, "", EMPTY, 1, "owner " + b.id(2))).isEqualTo(new SignalReply(true, 0));
    }

    /** Time-out against signal: one atomic answer says which came first. */
    @Test
    void requestThatAsksBeforeASignalIsNotSignalled() {
        awaits(a, 1, EMPTY, 2);
        hold(b, 1);
        assertThat(ask(a, EMPTY, 2)).isEqualTo(Awaited.ASKS);
        assertThat(b.signal(NAME, 1, EMPTY, 1).signalled()).isZero();
        assertThat(ask(a, EMPTY, 2)).as("asked again").isEqualTo(Awaited.ASKS);
        b.end(NAME, 1);
        assertThat(ask(a, EMPTY, 2)).as("as the holder").isEqualTo(Awaited.ASKS);
    }

    /** The same the other way round. */
    @Test
    void requestThatAsksAfterASignalIsSignalled() {
        awaits(a, 1, EMPTY, 2);
        signal(b, 1, EMPTY);
        assertThat(ask(a, EMPTY, 2)).isEqualTo(Awaited.SIGNALLED);
        assertThat(ask(a, EMPTY, 2)).as("asked again").isEqualTo(Awaited.SIGNALLED);
        b.end(NAME, 1);
        assertThat(ask(a, EMPTY, 2)).as("as the holder").isEqualTo(Awaited.SIGNALLED);
    }

    @Test
    void requestThatAsksForAFreeLockIsGrantedIt() {
        awaits(a, 1, EMPTY, 2);
        AcquireReply reply = acquire(a, EMPTY, 2, false);
        assertThat(reply.answers()).hasOnlyElementsOfType(Granted.class);
        assertThat(reply.conditions()).isEqualTo(Map.of(a.id(2), Awaited.ASKS));
        assertThat(a.signal(NAME, 2, EMPTY, 1).signalled()).isZero();
    }

    /** No wake-up is lost with the list: the request wakes up without a signal. */
    @Test
    void requestWhoseListIsLostAsksForItsLock() {
        awaits(a, 1, EMPTY, 2);
        host.clear();
        hold(b, 1);
        assertThat(state(a, EMPTY, 2)).isEqualTo(Awaited.ASKS);
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(a.id(2));
    }

    @Test
    void requestsThatAwaitDoNotKeepALockFromOthers() {
        awaits(a, 1, EMPTY, 2);
        assertThat(hold(b, 1)).isPositive();
        AcquireReply reply = acquire(a, EMPTY, 2, true);
        assertThat(reply.answers())
                .satisfiesExactly(
                        answer -> assertThat(((Busy) answer).holderId()).isEqualTo(b.id(1)));
        assertThat(inspect().waiting()).isZero();
    }

    @Test
    void signalIsPassedOnIfItsReceiverGivesUp() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        signal(b, 3, EMPTY);
        assertThat(a.end(NAME, 2).role()).isEqualTo(Role.WAITER);
        assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.SIGNALLED);
        assertThat(b.end(NAME, 3).handedTo()).containsExactly(b.id(2));
    }

    @Test
    void signalIsPassedOnIfItsReceiverDoesNotTakeTheLock() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        signal(b, 3, EMPTY);
        b.end(NAME, 3);
        assertThat(a.end(NAME, 2).role()).isEqualTo(Role.HOLDER);
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(2));
    }

    @Test
    void signalEndsWithTheReceiverThatTookTheLock() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        signal(b, 3, EMPTY);
        b.end(NAME, 3);
        a.endTaken(NAME, 2);
        assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
    }

    @Test
    void requestThatWasNotSignalledPassesNothingOn() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        hold(b, 3);
        assertThat(a.end(NAME, 2).role()).as("in its list").isEqualTo(Role.WAITER);
        assertThat(a.end(NAME, 2).role()).isEqualTo(Role.NOTHING);
        awaits(b, 3, EMPTY, 4);
        hold(a, 5);
        a.await(NAME, 5, a.awaits(EMPTY, 6));
        hold(b, 7);
        ask(a, EMPTY, 6);
        assertThat(a.end(NAME, 6).role()).as("in the queue").isEqualTo(Role.WAITER);
        assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
        assertThat(state(b, EMPTY, 4)).isEqualTo(Awaited.AWAITS);
    }

    @Test
    void signalIsPassedOnIfItsReceiverIsLate() {
        hold(a, 1);
        Request impatient = a.request(2, Kind.MESSAGE, StoreProcess.LEASE, 500).at(EMPTY, true);
        a.await(NAME, 1, impatient);
        awaits(b, 1, EMPTY, 2);
        host.age(Duration.ofSeconds(1));
        assertThat(a.acquire(NAME, impatient).conditions())
                .as("the patience counts from the signal")
                .containsValue(Awaited.AWAITS);
        signal(b, 3, EMPTY);
        host.age(Duration.ofSeconds(1));
        assertThat(b.end(NAME, 3).handedTo()).containsExactly(b.id(2));
    }

    @Test
    void signalIsPassedOnIfItsReceiverDies() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        signal(b, 3, EMPTY);
        for (int i = 0; i < 6; i++) {
            host.age(StoreProcess.RECHECK);
            assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
            b.renew(List.of(NAME), 3, StoreProcess.LEASE);
        }
        assertThat(b.end(NAME, 3).handedTo()).containsExactly(b.id(2));
        assertThat(state(a, EMPTY, 2)).as("a is not dead after all").isEqualTo(Awaited.ASKS);
    }

    @Test
    void requestThatIsPassedASignalWhileItAsksIsAnsweredItsGrant() {
        try (StoreProcess deaf = host.start("deaf", false)) {
            awaits(deaf, 1, EMPTY, 2);
            signal(a, 1, EMPTY);
            a.end(NAME, 1);
            awaits(b, 1, EMPTY, 2);
            AcquireReply reply;
            int rechecks = 0;
            do {
                host.age(StoreProcess.RECHECK);
                reply = acquire(b, EMPTY, 2, true);
                rechecks++;
            } while (reply.conditions().get(b.id(2)) == Awaited.AWAITS && rechecks < 6);
            assertThat(reply.conditions()).isEqualTo(Map.of(b.id(2), Awaited.SIGNALLED));
            assertThat(reply.answers().get(0)).isInstanceOf(Granted.class);
            assertThat(b.told).as("the answer has told it").isEmpty();
            assertThat(b.end(NAME, 2).role()).isEqualTo(Role.HOLDER);
        }
    }

    @Test
    void deadRequestsAreNotSignalled() {
        awaits(a, 1, EMPTY, 2);
        awaits(b, 1, EMPTY, 2);
        for (int i = 0; i < 6; i++) {
            host.age(StoreProcess.RECHECK);
            assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
        }
        hold(b, 3);
        assertThat(b.signal(NAME, 3, EMPTY, 5).signalled()).isEqualTo(1);
        assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.SIGNALLED);
    }

    @Test
    void requestsOfADeafProcessAreSignalledLast() {
        try (StoreProcess deaf = host.start("deaf", false)) {
            awaits(deaf, 1, EMPTY, 2);
            awaits(b, 1, EMPTY, 2);
            hold(a, 1);
            assertThat(a.signal(NAME, 1, EMPTY, 1).signalled()).isEqualTo(1);
            assertThat(state(b, EMPTY, 2)).isEqualTo(Awaited.SIGNALLED);
            assertThat(state(deaf, EMPTY, 2)).isEqualTo(Awaited.AWAITS);
            assertThat(a.signal(NAME, 1, EMPTY, 1).signalled()).isEqualTo(1);
            assertThat(state(deaf, EMPTY, 2)).isEqualTo(Awaited.SIGNALLED);
        }
    }

    @Test
    void signalledRequestThatPollsIsGrantedTheLock() {
        try (StoreProcess deaf = host.start("deaf", false)) {
            hold(deaf, 1);
            Request polls = deaf.polls(2).at(EMPTY, true);
            deaf.await(NAME, 1, polls);
            hold(b, 1);
            b.signal(NAME, 1, EMPTY, 1);
            assertThat(b.end(NAME, 1).handedTo()).containsExactly(deaf.id(2));
            assertThat(deaf.acquire(NAME, polls).answers()).hasOnlyElementsOfType(Granted.class);
        }
    }

    private static void awaits(StoreProcess process, int number, String condition, int waiter) {
        if (process.acquire(NAME, process.waits(number)).answers().get(0) instanceof Granted) {
            assertThat(process.await(NAME, number, process.awaits(condition, waiter))
                            .awaits())
                    .isTrue();
        } else {
            throw new AssertionError("the lock is held");
        }
    }

    private static void signal(StoreProcess process, int number, String condition) {
        hold(process, number);
        assertThat(process.signal(NAME, number, condition, 1)).isEqualTo(new SignalReply(true, 1));
    }

    private static AcquireReply acquire(StoreProcess process, String condition, int number, boolean awaits) {
        return process.acquire(NAME, process.waits(number).at(condition, awaits));
    }

    private static @Nullable Awaited state(StoreProcess process, String condition, int number) {
        return acquire(process, condition, number, true).conditions().get(process.id(number));
    }

    private static @Nullable Awaited ask(StoreProcess process, String condition, int number) {
        return acquire(process, condition, number, false).conditions().get(process.id(number));
    }
}
