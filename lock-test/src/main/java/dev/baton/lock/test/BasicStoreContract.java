package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.Tokens;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link dev.baton.lock.store.LockStore} that need not extend leases, nor queue requests for several locks.
 * Otherwise as {@link LockStoreContract}, which includes it.
 */
public abstract class BasicStoreContract extends SeveralLocksContract {

    @Test
    void freeLockIsGrantedAndARepeatIsTheSameGrant() {
        AcquireReply reply = a.acquire(NAME, a.tries(1));
        assertThat(reply).matches(it -> !it.incomplete() && !it.possiblyRepeated() && !it.unsubscribed());
        long token = ((Granted) reply.answers().get(0)).token();
        assertThat(reply.answers()).containsExactly(new Granted(token, false));
        assertThat(token).isPositive();
        assertThat(a.acquire(NAME, a.tries(1)).answers()).containsExactly(new Granted(token, true));
    }

    @Test
    void heldLockIsBusyAndNamesItsHolder() {
        long token = hold(a, 1);
        AcquireReply reply = b.acquire(NAME, b.waits(1), b.tries(2));
        Busy busy = (Busy) reply.answers().get(0);
        assertThat(reply.answers()).containsExactly(busy, busy);
        assertThat(busy.mark()).isEqualTo(token);
        assertThat(busy.holder()).satisfies(holder -> {
            assertThat(holder.owner()).isEqualTo("owner a:1");
            assertThat(holder.label()).isEqualTo("label a:1");
            assertThat(holder.fencingToken()).isEqualTo(token);
            assertThat(holder.heldFor()).isLessThan(Duration.ofSeconds(5));
            assertThat(holder.remaining()).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(60));
        });
    }

    @Test
    void locksAreServedByArrivalAndTheNextIsTold() {
        long last = hold(a, 1);
        b.acquire(NAME, b.waits(1), b.waits(2));
        a.acquire(NAME, a.waits(2));
        b.acquire(NAME, b.waits(3));
        b.acquire(NAME, b.waits(2));
        List<StoreProcess> order = List.of(a, b, b, a, b);
        int[] numbers = {1, 1, 2, 2, 3};
        for (int i = 1; i < numbers.length; i++) {
            StoreProcess ending = order.get(i - 1);
            long token = learnt(ending, ending.end(NAME, numbers[i - 1]), order.get(i), numbers[i]);
            assertThat(token).isGreaterThan(last);
            last = token;
            assertThat(order.get(i)
                            .acquire(NAME, order.get(i).waits(numbers[i]))
                            .answers())
                    .containsExactly(new Granted(last, true));
        }
    }

    @Test
    void endsMayBeRepeatedAndActOnTheirOwnRequestOnly() {
        hold(a, 1);
        b.acquire(NAME, b.polls(1));
        assertThat(b.end(NAME, 1).role()).isEqualTo(Role.WAITER);
        assertThat(b.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(b.end(NAME, 2).role()).isEqualTo(Role.NOTHING);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.HOLDER);
        hold(b, 3);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(b.renew(List.of(NAME), 3, 0)).isEmpty();
    }

    @Test
    void acquireAfterAMarkedEndIsOverUntilTheMarkIs() {
        a.end(List.of(NAME), 1, 0, 1_000);
        assertThat(a.acquire(NAME, a.waits(1), a.waits(2)).answers())
                .hasExactlyElementsOfTypes(Over.class, Granted.class);
        a.end(NAME, 2);
        host.pass(Duration.ofMillis(1_100));
        hold(a, 1);
    }

    @Test
    void renewalExtendsAndNeverShortens() {
        hold(a, 1);
        assertThat(a.renew(List.of(NAME), 1, 1_000)).isEmpty();
        assertThat(inspect().remaining()).isGreaterThan(Duration.ofSeconds(50));
        assertThat(a.renew(List.of(NAME), 1, 120_000)).isEmpty();
        assertThat(inspect().remaining()).isGreaterThan(Duration.ofSeconds(110));
        assertThat(b.renew(List.of(NAME), 1, 120_000)).containsExactly(NAME);
    }

    @Test
    void endedLeaseGoesToTheFirstRequest() {
        a.acquire(NAME, a.request(1, Kind.TRY, 30, -1));
        host.pass(Duration.ofMillis(40));
        assertThat(a.renew(List.of(NAME), 1, 1_000)).containsExactly(NAME);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        hold(b, 1);
    }

    @Test
    void expiredLockGoesToAWaiterNotToATry() {
        hold(a, 1);
        b.acquire(NAME, b.waits(1));
        host.expire(NAME);
        assertThat(a.acquire(NAME, a.tries(2)).answers()).hasOnlyElementsOfType(Busy.class);
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
    }

    @Test
    void waiterWhoseTimeIsOverIsPassed() {
        hold(a, 1);
        b.acquire(NAME, b.request(1, Kind.MESSAGE, 1_000, 5));
        b.acquire(NAME, b.waits(2));
        host.pass(Duration.ofMillis(10));
        a.end(NAME, 1);
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(2));
        assertThat(b.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
    }

    @Test
    void waiterThatCannotBeNotifiedIsPassedAndKeepsItsPlace() {
        StoreProcess deaf = host.start("deaf", false);
        hold(a, 1);
        assertThat(deaf.acquire(NAME, deaf.waits(1)).unsubscribed()).isTrue();
        assertThat(b.acquire(NAME, b.waits(1)).unsubscribed()).isFalse();
        a.end(NAME, 1);
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
        b.end(NAME, 1);
        assertThat(inspect().holder()).as("no process could be notified").isEmpty();
        assertThat(inspect().waiting()).isEqualTo(1);
        assertThat(deaf.acquire(NAME, deaf.waits(1)).answers()).hasOnlyElementsOfType(Granted.class);
        deaf.close();
    }

    @Test
    void tryIsGrantedIfNoWaiterCanBeNotified() {
        StoreProcess deaf = host.start("deaf", false);
        hold(a, 1);
        deaf.acquire(NAME, deaf.waits(1));
        a.end(NAME, 1);
        hold(b, 1);
        deaf.close();
    }

    @Test
    void pollingWaiterIsGrantedWithoutAMessage() {
        hold(a, 1);
        b.acquire(NAME, b.polls(1));
        a.end(NAME, 1);
        host.settle(b);
        assertThat(b.told).isEmpty();
        Granted granted = (Granted) b.acquire(NAME, b.polls(1)).answers().get(0);
        assertThat(granted.again()).isTrue();
    }

    @Test
    void waiterThatDidNotAskAgainInTimeAndCannotBeToldIsPassedOver() {
        StoreProcess killed = host.start("killed", false);
        Duration recheck = Duration.ofMillis(40);
        hold(a, 1);
        killed.acquire(List.of(NAME), recheck, killed.polls(1));
        b.acquire(NAME, b.waits(1));
        host.pass(Duration.ofMillis(51));
        a.end(NAME, 1);
        assertThat(onlyMessage(b).what()).isEqualTo("granted");
        killed.acquire(List.of(NAME), recheck, killed.polls(1));
        b.end(NAME, 1);
        Granted granted = (Granted) killed.acquire(List.of(NAME), recheck, killed.polls(1))
                .answers()
                .get(0);
        assertThat(granted.again()).as("it has kept its place").isTrue();
        killed.close();
    }

    @Test
    void waiterThatDidNotAskAgainInTimeIsToldIfItCanBe() {
        hold(a, 1);
        b.acquire(List.of(NAME), Duration.ofMillis(40), b.polls(1));
        host.pass(Duration.ofMillis(51));
        a.end(NAME, 1);
        assertThat(onlyMessage(b).what()).isEqualTo("granted");
    }

    @Test
    void exchangeGrantsTheWaiterAndQueuesBehindIt() {
        hold(a, 1);
        b.acquire(NAME, b.waits(1));
        ExchangeReply reply = a.exchange(NAME, 1, 0, a.waits(2));
        assertThat(reply.ended()).isEqualTo(new EndReply(Role.HOLDER, List.of(), false, false, List.of(b.id(1))));
        Told told = onlyMessage(b);
        assertThat(told.id()).isEqualTo(b.id(1));
        Busy busy = (Busy) reply.acquired().answers().get(0);
        assertThat(busy.mark()).isEqualTo(told.token());
        assertThat(holder(busy).owner()).isEqualTo("owner b:1");
        assertThat(b.exchange(NAME, 1, 0, b.waits(2)).ended().role()).isEqualTo(Role.HOLDER);
        assertThat(onlyMessage(a).id()).isEqualTo(a.id(2));
        assertThat(inspect().waiting()).isEqualTo(1);
    }

    @Test
    void exchangeTakesALockWithoutWaitersAndMayBeRepeated() {
        long first = hold(a, 1);
        ExchangeReply reply = a.exchange(NAME, 1, 0, a.waits(2));
        long token = ((Granted) reply.acquired().answers().get(0)).token();
        assertThat(token).isGreaterThan(first);
        assertThat(reply.acquired().answers()).containsExactly(new Granted(token, false));
        ExchangeReply again = a.exchange(NAME, 1, 0, a.waits(2));
        assertThat(again.ended().role()).isEqualTo(Role.NOTHING);
        assertThat(again.acquired().answers()).containsExactly(new Granted(token, true));
        host.settle(a);
        assertThat(a.told).isEmpty();
    }

    @Test
    void exchangeLeavesAMarkAndHeedsOne() {
        hold(a, 1);
        a.end(List.of(NAME), 3, 0, 60_000);
        ExchangeReply reply = a.exchange(NAME, 1, 60_000, a.waits(3));
        assertThat(reply.ended().role()).isEqualTo(Role.HOLDER);
        assertThat(reply.acquired().answers()).containsExactly(new Over());
        assertThat(a.acquire(NAME, a.waits(1)).answers()).containsExactly(new Over());
        hold(b, 1);
    }

    @Test
    void grantAtOnceReservesNoTokens() {
        AcquireReply reply = a.acquire(NAME, StoreProcess.reserving(a.waits(1), 1_000));
        Busy busy = (Busy) b.acquire(NAME, b.tries(1)).answers().get(0);
        assertThat(reply.answers()).containsExactly(new Granted(busy.mark(), false));
        assertThat(Tokens.kept(busy.mark(), 1_000)).isZero();
    }

    @Test
    void forceReleaseTellsTheHolderAndThenTheNext() {
        long token = hold(a, 1);
        b.acquire(NAME, b.waits(1));
        assertThat(StoreProcess.answer(b.store.administration().forceRelease(NAME, TIMEOUT))
                        .holder())
                .satisfies(holder -> assertThat(holder.owner()).isEqualTo("owner a:1"));
        assertThat(onlyMessage(a)).isEqualTo(new Told("revoked", List.of(NAME), a.id(1), token));
        assertThat(onlyMessage(b).what()).isEqualTo("granted");
        assertThat(a.renew(List.of(NAME), 1, 1_000)).containsExactly(NAME);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        b.end(NAME, 1);
        assertThat(StoreProcess.answer(b.store.administration().forceRelease(NAME, TIMEOUT))
                        .holder())
                .isNull();
    }

    @Test
    void inspectNamesHolderAndWaiters() {
        assertThat(inspect().isLocked()).isFalse();
        long token = hold(a, 1);
        b.acquire(NAME, b.waits(1), b.polls(2));
        a.acquire(NAME, a.waits(2));
        host.pass(Duration.ofMillis(20));
        LockState state = inspect();
        assertThat(state.holder().orElseThrow().fencingToken()).isEqualTo(token);
        assertThat(state.waiters())
                .extracting(LockWaiter::owner)
                .containsExactly("owner b:1", "owner b:2", "owner a:2");
        assertThat(state.waiters()).allMatch(waiter -> waiter.waitedFor().compareTo(Duration.ofMillis(19)) > 0);
        assertThat(StoreProcess.answer(b.store.administration().inspect(NAME, 1, TIMEOUT)))
                .matches(some -> some.waiting() == 3 && some.waiters().size() == 1);
    }

    @Test
    void scanNamesWhatIsHeldInOneNamespace() {
        LockName nested = new LockName("eu:west", "orders.{eu}1");
        LockName other = new LockName("", "x.{a}*\n");
        for (LockName name : List.of(NAME, nested, other)) {
            hold(a, name, 1);
        }
        LockName given = new LockName("", "orders.{eu}2");
        hold(b, given, 1);
        b.end(given, 1);
        assertThat(scan("", "*")).containsExactlyInAnyOrder(NAME, other);
        assertThat(scan("", "orders.*")).containsExactly(NAME);
        assertThat(scan("", "x.*\\**")).containsExactly(other);
        assertThat(scan("eu:west", "*")).containsExactly(nested);
        assertThat(scan("eu", "*")).isEmpty();
    }

    @Test
    void stoppedStoreRefusesAndForgetsNothing() {
        long token = hold(a, 1);
        a.store.stop();
        assertThat(a.store.isListening()).isFalse();
        assertThatThrownBy(
                        () -> a.store.administration().inspect(NAME, 1, TIMEOUT).join())
                .hasCauseInstanceOf(StoreException.class);
        assertThat(inspect().holder().orElseThrow().fencingToken()).isEqualTo(token);
    }

    private List<LockName> scan(String namespace, String pattern) {
        List<LockName> found = new ArrayList<>();
        String cursor = ScanCommand.START;
        ScanPage page;
        do {
            page = StoreProcess.answer(b.store
                    .administration()
                    .scan(new ScanCommand(namespace, new NamePattern(pattern), cursor, TIMEOUT)));
            found.addAll(page.names());
            cursor = page.cursor();
        } while (!page.isLast());
        return found;
    }

    static LockHolder holder(Busy busy) {
        return Objects.requireNonNull(busy.holder(), "no holder");
    }
}
