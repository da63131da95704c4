package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract of every store for a request for several locks, whether such a request waits in the queues or asks again. */
abstract class SeveralLocksContract extends SilentProcessContract {

    static final LockName OTHER = new LockName("", "orders.{eu}2");
    static final List<LockName> BOTH = List.of(NAME, OTHER);

    @Test
    void allAreGrantedUnderOneTokenAndARepeatIsTheSameGrant() {
        Granted granted = (Granted) ask(a, a.waits(1));
        assertThat(granted.again()).isFalse();
        for (LockName name : BOTH) {
            assertThat(inspect(name).holder().orElseThrow().fencingToken()).isEqualTo(granted.token());
        }
        assertThat(ask(a, a.waits(1))).isEqualTo(new Granted(granted.token(), true));
    }

    @Test
    void noneIsTakenWhileOneIsBusy() {
        long token = hold(b, OTHER, 1);
        for (Request request : List.of(a.tries(1), a.waits(2), a.polls(3))) {
            Busy busy = (Busy) ask(a, request);
            assertThat(busy.mark()).isEqualTo(token);
            assertThat(busy.holder())
                    .satisfies(holder -> assertThat(holder.owner()).isEqualTo("owner b:1"));
            assertThat(inspect(NAME).isLocked())
                    .as("held by a request that waits")
                    .isFalse();
        }
    }

    @Test
    void requestThatWaitsLearnsWhetherItsProcessHasASubscriber() {
        StoreProcess deaf = host.start("deaf", false);
        hold(a, NAME, 1);
        assertThat(deaf.acquire(BOTH, StoreProcess.RECHECK, deaf.waits(1)).unsubscribed())
                .isTrue();
        assertThat(b.acquire(BOTH, StoreProcess.RECHECK, b.waits(1)).unsubscribed())
                .isFalse();
        deaf.close();
    }

    @Test
    void requestThatAsksAgainIsGrantedAllOnceTheyAreFree() {
        hold(b, NAME, 1);
        hold(b, OTHER, 2);
        assertThat(ask(a, a.waits(1))).isInstanceOf(Busy.class);
        b.end(OTHER, 2);
        assertThat(ask(a, a.waits(1))).isInstanceOf(Busy.class);
        assertThat(inspect(OTHER).isLocked()).isFalse();
        b.end(NAME, 1);
        assertThat(ask(a, a.waits(1))).isInstanceOf(Granted.class);
        assertThat(a.renew(BOTH, 1, 1_000)).isEmpty();
        assertThat(inspect(NAME).waiting() + inspect(OTHER).waiting()).isZero();
    }

    @Test
    void tryPassesNoQueuedWaiterOfAnyOfItsLocks() {
        hold(a, OTHER, 1);
        b.acquire(OTHER, b.waits(1));
        host.expire(OTHER);
        assertThat(ask(a, a.tries(2))).isInstanceOf(Busy.class);
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
        assertThat(inspect(NAME).isLocked()).isFalse();
    }

    @Test
    void requestThatHasLostOneIsGrantedAllAgainUnderANewToken() {
        Granted first = (Granted) ask(a, a.waits(1));
        host.expire(OTHER);
        Granted second = (Granted) ask(a, a.waits(1));
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(a.renew(BOTH, 1, 1_000)).isEmpty();
    }

    @Test
    void renewalExtendsAllOrNone() {
        ask(a, a.tries(1));
        assertThat(a.renew(BOTH, 1, 120_000)).isEmpty();
        for (LockName name : BOTH) {
            assertThat(inspect(name).remaining()).isGreaterThan(Duration.ofSeconds(110));
        }
        host.expire(OTHER);
        assertThat(a.renew(BOTH, 1, 240_000)).containsExactly(OTHER);
        assertThat(inspect(NAME).remaining()).isLessThan(Duration.ofSeconds(121));
        assertThat(b.renew(BOTH, 1, 240_000)).isEqualTo(BOTH);
    }

    @Test
    void endGivesBackAllAndHandsEachOverWithATokenOfItsOwn() {
        long token = ((Granted) ask(a, a.tries(1))).token();
        b.acquire(NAME, b.waits(1));
        b.acquire(OTHER, b.waits(2));
        EndReply reply = a.end(BOTH, 1, 0, 0);
        assertThat(reply).isEqualTo(new EndReply(Role.HOLDER, List.of(), false, false, List.of(b.id(1), b.id(2))));
        host.settle(b);
        List<Told> told = new ArrayList<>(b.told);
        b.told.clear();
        assertThat(told).extracting(Told::names).containsExactly(List.of(NAME), List.of(OTHER));
        assertThat(told.get(0).token()).isGreaterThan(token);
        assertThat(told.get(1).token()).isGreaterThan(told.get(0).token());
        assertThat(inspect(OTHER).holder().orElseThrow().fencingToken())
                .isEqualTo(told.get(1).token());
        assertThat(a.end(BOTH, 1, 0, 0)).isEqualTo(new EndReply(Role.NOTHING, List.of(), false, false));
    }

    @Test
    void endNamesWhatIsMissingAndGivesBackTheRest() {
        ask(a, a.tries(1));
        host.expire(NAME);
        long taken = hold(b, NAME, 1);
        assertThat(a.end(BOTH, 1, 0, 0)).isEqualTo(new EndReply(Role.NOTHING, List.of(NAME), false, false));
        assertThat(inspect(OTHER).isLocked()).isFalse();
        assertThat(inspect(NAME).holder().orElseThrow().fencingToken()).isEqualTo(taken);
    }

    @Test
    void locksAreKeptFromOthersAndBelongToNoRequest() {
        ask(a, a.tries(1));
        assertThat(a.end(BOTH, 1, 30_000, 0).role()).isEqualTo(Role.HOLDER);
        for (LockName name : BOTH) {
            assertThat(inspect(name).remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
        }
        assertThat(a.renew(BOTH, 1, 60_000)).isEqualTo(BOTH);
        assertThat(ask(b, b.tries(1))).isInstanceOf(Busy.class);
    }

    @Test
    void acquireOfAllAfterAMarkedEndIsOver() {
        a.end(BOTH, 1, 0, 60_000);
        assertThat(ask(a, a.waits(1))).isEqualTo(new Over());
        assertThat(ask(b, b.waits(1))).isInstanceOf(Granted.class);
    }

    @Test
    void forceReleaseOfOneIsALossOfTheLease() {
        long token = ((Granted) ask(a, a.tries(1))).token();
        b.acquire(OTHER, b.waits(1));
        assertThat(StoreProcess.answer(b.store.administration().forceRelease(OTHER, TIMEOUT))
                        .holder())
                .satisfies(holder -> assertThat(holder.fencingToken()).isEqualTo(token));
        assertThat(onlyMessage(a)).isEqualTo(new Told("revoked", List.of(OTHER), a.id(1), token));
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
        assertThat(a.renew(BOTH, 1, 1_000)).containsExactly(OTHER);
        assertThat(a.end(BOTH, 1, 0, 0).missing()).containsExactly(OTHER);
        assertThat(inspect(NAME).isLocked()).isFalse();
    }

    private static Answer ask(StoreProcess process, Request request) {
        return process.acquire(BOTH, StoreProcess.RECHECK, request).answers().get(0);
    }
}
