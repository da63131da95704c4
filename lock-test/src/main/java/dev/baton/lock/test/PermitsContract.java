package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Contract of a store with semaphores: the permits in use are at most as many as the size that counts. */
abstract class PermitsContract extends ConditionsContract {

    private static final LockName POOL = new LockName("", "orders.{eu}1", true);

    @Test
    void asManyPermitsAreGrantedAsThereAre() {
        long first = take(a, 1, 1, 3);
        long second = take(b, 1, 2, 3);
        assertThat(second).as("each grant has a token of its own").isGreaterThan(first);
        assertThat(tries(a, 2, 1, 3)).isInstanceOf(Busy.class);
        assertThat(a.end(POOL, 1).role()).isEqualTo(Role.HOLDER);
        assertThat(tries(b, 3, 2, 3)).isInstanceOf(Busy.class);
        assertThat(take(b, 4, 1, 3)).isGreaterThan(second);
    }

    @Test
    void repeatIsTheSameGrantAndTakesNothing() {
        long token = take(a, 1, 1, 2);
        take(b, 1, 1, 2);
        Granted again = (Granted) answer(a, a.takes(POOL, 1, 1, 2));
        assertThat(again.token()).isEqualTo(token);
        assertThat(again.again()).isTrue();
        assertThat(inspect(POOL).permits()).hasValue(new LockState.Permits(OptionalInt.of(2), 2));
    }

    @Test
    void semaphoreAndLockOfOneNameDoNotMeet() {
        take(a, 1, 1, 1);
        hold(b, 1);
        assertThat(inspect().permits()).isEmpty();
        assertThat(inspect().holder().orElseThrow().permits()).isZero();
        assertThat(inspect(POOL).holder().orElseThrow().owner()).isEqualTo("owner a:1");
        a.acquire(POOL, a.takes(POOL, 2, 1, 1));
        a.acquire(NAME, a.waits(3));
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(a.id(3));
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(a.id(2));
    }

    @Test
    void oneReleaseGrantsAllRequestsThatFit() {
        take(a, 1, 3, 3);
        b.acquire(POOL, b.takes(POOL, 1, 1, 3), b.takes(POOL, 2, 1, 3));
        a.acquire(POOL, a.takes(POOL, 2, 1, 3), a.takes(POOL, 3, 1, 3));
        EndReply reply = a.end(POOL, 1);
        assertThat(reply.role()).isEqualTo(Role.HOLDER);
        assertThat(reply.handedTo()).containsExactly(b.id(1), b.id(2), a.id(2));
        assertThat(reply.token()).as("messages notify them").isEmpty();
        host.settle(b);
        assertThat(b.told).extracting(Told::id).containsExactly(b.id(1), b.id(2));
        assertThat(b.told).extracting(Told::names).containsOnly(List.of(POOL));
        assertThat(b.told).allMatch(told -> told.number() == told.token());
        assertThat(b.told).extracting(Told::token).isSorted().doesNotHaveDuplicates();
        assertThat(onlyMessage(a).id()).isEqualTo(a.id(2));
    }

    @Test
    void requestForSeveralPermitsIsNotPassed() {
        take(a, 1, 1, 2);
        b.acquire(POOL, b.takes(POOL, 1, 2, 2));
        assertThat(tries(a, 2, 1, 2)).isInstanceOf(Busy.class);
        assertThat(answer(a, a.takes(POOL, 3, 1, 2))).isInstanceOf(Busy.class);
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(b.id(1));
        assertThat(b.end(POOL, 1).handedTo()).containsExactly(a.id(3));
    }

    @Test
    void patientRequestIsPassedForAWhile() {
        take(a, 1, 1, 2);
        Request patient =
                b.request(1, Kind.MESSAGE, StoreProcess.LEASE, -1, 5_000).taking(POOL, new LockPermits(2, 2));
        assertThat(answer(b, patient)).isInstanceOf(Busy.class);
        assertThat(answer(a, a.takes(POOL, 2, 1, 2))).isInstanceOf(Granted.class);
        a.end(POOL, 2);
        assertThat(tries(a, 3, 1, 2)).isInstanceOf(Granted.class);
        a.end(POOL, 3);
        host.age(Duration.ofMillis(5_001));
        assertThat(answer(a, a.takes(POOL, 4, 1, 2))).as("its patience is over").isInstanceOf(Busy.class);
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(b.id(1));
    }

    @Test
    void waiterThatLeavesLetsOthersIn() {
        take(a, 1, 1, 2);
        b.acquire(POOL, b.takes(POOL, 1, 2, 2));
        b.acquire(POOL, b.takes(POOL, 2, 1, 2));
        EndReply left = b.end(POOL, 1);
        assertThat(left.role()).isEqualTo(Role.WAITER);
        assertThat(left.handedTo()).containsExactly(b.id(2));
    }

    @Test
    void requestForPermitsWhoseTimeIsOverIsPassed() {
        take(a, 1, 1, 2);
        Request brief = b.request(1, Kind.MESSAGE, StoreProcess.LEASE, 5, 0).taking(POOL, new LockPermits(2, 2));
        b.acquire(POOL, brief);
        host.pass(Duration.ofMillis(10));
        assertThat(answer(a, a.takes(POOL, 2, 1, 2))).isInstanceOf(Granted.class);
    }

    @Test
    void requestForPermitsThatCannotBeNotifiedIsPassed() {
        StoreProcess deaf = host.start("deaf", false);
        take(a, 1, 1, 1);
        deaf.acquire(POOL, deaf.takes(POOL, 1, 1, 1));
        b.acquire(POOL, b.takes(POOL, 1, 1, 1));
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(b.id(1));
        b.end(POOL, 1);
        assertThat(answer(deaf, deaf.takes(POOL, 1, 1, 1))).isInstanceOf(Granted.class);
        deaf.close();
    }

    @Test
    void waiterThatAsksAgainIsGrantedWithoutAMessage() {
        take(a, 1, 1, 1);
        b.acquire(POOL, b.polls(1).taking(POOL, LockPermits.of(1)));
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(b.id(1));
        host.settle(b);
        assertThat(b.told).isEmpty();
        assertThat(((Granted) answer(b, b.takes(POOL, 1, 1, 1))).again()).isTrue();
    }

    @Test
    void endedLeaseGivesItsPermitsBack() {
        a.acquire(POOL, a.request(1, Kind.TRY, 5_000, -1).taking(POOL, new LockPermits(3, 2)));
        take(b, 1, 1, 3);
        b.acquire(POOL, b.takes(POOL, 2, 2, 3));
        Busy busy = (Busy) answer(b, b.takes(POOL, 2, 2, 3));
        assertThat(holder(busy).owner()).as("whose lease ends first").isEqualTo("owner a:1");
        assertThat(holder(busy).permits()).isEqualTo(2);
        assertThat(holder(busy).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
        host.age(Duration.ofMillis(5_001));
        assertThat(answer(b, b.takes(POOL, 2, 2, 3))).isInstanceOf(Granted.class);
        assertThat(a.renew(List.of(POOL), 1, 1_000)).containsExactly(POOL);
        assertThat(a.end(POOL, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(inspect(POOL).permits().orElseThrow().used()).isEqualTo(3);
    }

    @Test
    void renewedLeaseKeepsItsPermits() {
        a.acquire(POOL, a.request(1, Kind.TRY, 1_000, -1).taking(POOL, LockPermits.of(1)));
        assertThat(a.renew(List.of(POOL), 1, 120_000)).isEmpty();
        assertThat(inspect(POOL).remaining()).isGreaterThan(Duration.ofSeconds(110));
        assertThat(a.renew(List.of(POOL), 1, 1_000)).as("never shortened").isEmpty();
        assertThat(inspect(POOL).remaining()).isGreaterThan(Duration.ofSeconds(110));
        assertThat(tries(b, 1, 1, 1)).isInstanceOf(Busy.class);
    }

    @Test
    void keptPermitsStayInUse() {
        take(a, 1, 2, 3);
        a.end(List.of(POOL), 1, 5_000, 0);
        assertThat(tries(b, 1, 2, 3)).isInstanceOf(Busy.class);
        assertThat(tries(b, 2, 1, 3)).isInstanceOf(Granted.class);
        b.end(POOL, 2);
        assertThat(inspect(POOL).remaining())
                .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(5).plusMillis(1));
        host.age(Duration.ofMillis(5_001));
        assertThat(inspect(POOL).permits().orElseThrow().used()).isZero();
        assertThat(tries(b, 3, 3, 3)).isInstanceOf(Granted.class);
    }

    @Test
    void endedRequestIsOver() {
        a.end(List.of(POOL), 1, 0, 1_000);
        assertThat(answer(a, a.takes(POOL, 1, 1, 2))).isInstanceOf(Over.class);
        assertThat(inspect(POOL).permits()).as("it states no size").hasValue(permits(-1, 0));
    }

    @Test
    void smallestSizeCountsAsLongAsAProcessStatesIt() {
        take(a, 1, 1, 2);
        assertThat(take(b, 1, 1, 8)).isPositive();
        Busy busy = (Busy) tries(b, 2, 1, 8);
        assertThat(busy.size()).isEqualTo(2);
        assertThat(inspect(POOL).permits()).hasValue(permits(2, 2));
        a.end(POOL, 1);
        b.renew(List.of(POOL), 1, 600_000);
        host.age(Duration.ofMillis(StoreProcess.LEASE - 1_000));
        assertThat(inspect(POOL).permits()).as("it may ask again").hasValue(permits(2, 1));
        host.age(Duration.ofMillis(1_001));
        assertThat(inspect(POOL).permits()).as("it has fallen silent").hasValue(permits(8, 1));
        assertThat(take(b, 3, 7, 8)).isPositive();
    }

    @Test
    void renewalStatesTheSize() {
        take(a, 1, 1, 2);
        host.age(Duration.ofSeconds(30));
        assertThat(a.renew(List.of(POOL), 1, StoreProcess.LEASE)).isEmpty();
        host.age(Duration.ofSeconds(45));
        take(b, 1, 1, 8);
        assertThat(tries(b, 2, 1, 8)).isInstanceOf(Busy.class);
    }

    @Test
    void sizeIsStatedForThreeRechecksAtLeast() {
        a.acquire(POOL, a.request(1, Kind.TRY, 20, -1).taking(POOL, LockPermits.of(2)));
        a.end(POOL, 1);
        host.age(StoreProcess.RECHECK.multipliedBy(3).minusSeconds(1));
        assertThat(inspect(POOL).permits()).hasValue(permits(2, 0));
        host.age(Duration.ofMillis(1_001));
        assertThat(inspect(POOL).permits()).hasValue(permits(-1, 0));
    }

    @Test
    void smallerSizeTakesNothingBack() {
        take(a, 1, 5, 8);
        assertThat(tries(b, 1, 1, 3)).isInstanceOf(Busy.class);
        assertThat(inspect(POOL).permits()).hasValue(permits(3, 5));
        assertThat(a.renew(List.of(POOL), 1, StoreProcess.LEASE)).isEmpty();
        assertThat(a.acquire(POOL, a.takes(POOL, 2, 1, 8)).answers().get(0)).isInstanceOf(Busy.class);
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(a.id(2));
    }

    @Test
    void requestForMoreThanTheSizeIsPassed() {
        take(a, 1, 1, 2);
        take(a, 2, 1, 2);
        assertThat(answer(b, b.takes(POOL, 1, 5, 8))).isInstanceOf(Busy.class);
        a.acquire(POOL, a.takes(POOL, 3, 1, 2));
        assertThat(a.end(POOL, 1).handedTo()).containsExactly(a.id(3));
        a.end(POOL, 2);
        assertThat(tries(a, 4, 1, 2)).isInstanceOf(Granted.class);
    }

    @Test
    void operatorRaisesTheSizeForATime() {
        take(a, 1, 2, 2);
        b.acquire(POOL, b.takes(POOL, 1, 1, 2), b.takes(POOL, 2, 1, 2), b.takes(POOL, 3, 1, 2));
        assertThat(resize(4, 100_000)).isEqualTo(permits(4, 4));
        host.settle(b);
        assertThat(b.told).extracting(Told::id).containsExactly(b.id(1), b.id(2));
        b.renew(List.of(POOL), 1, 600_000);
        assertThat(resize(9, 10_000)).as("a later override replaces it").isEqualTo(permits(9, 5));
        host.age(Duration.ofMillis(10_001));
        assertThat(inspect(POOL).permits()).as("it has ended").hasValue(permits(2, 5));
    }

    @Test
    void operatorLowersTheSizeAndEndsThat() {
        take(a, 1, 1, 2);
        assertThat(resize(0, 60_000)).isEqualTo(permits(0, 1));
        Busy busy = (Busy) answer(b, b.takes(POOL, 1, 1, 2));
        assertThat(busy.size()).isZero();
        assertThat(a.end(POOL, 1).handedTo()).isEmpty();
        assertThat(tries(a, 2, 1, 2)).as("on a free semaphore, too").isInstanceOf(Busy.class);
        assertThat(resize(0, 0)).isEqualTo(permits(2, 1));
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
    }

    @Test
    void operatorMaySetASizeThatNoProcessHasStated() {
        assertThat(resize(0, 0)).isEqualTo(permits(-1, 0));
        assertThat(resize(1, 60_000)).isEqualTo(permits(1, 0));
        take(a, 1, 1, 4);
        assertThat(tries(a, 2, 1, 4)).isInstanceOf(Busy.class);
    }

    @Test
    void inspectionNamesHoldersAndWaiters() {
        assertThat(inspect(POOL).isLocked()).isFalse();
        take(a, 1, 2, 3);
        a.acquire(POOL, a.request(2, Kind.TRY, 5_000, -1).taking(POOL, LockPermits.of(3)));
        b.acquire(POOL, b.takes(POOL, 1, 1, 3));
        LockState state = inspect(POOL);
        assertThat(state.permits()).hasValue(permits(3, 3));
        assertThat(state.permits().orElseThrow().available()).isZero();
        assertThat(state.isShared()).isFalse();
        assertThat(state.readers()).extracting(LockHolder::owner).containsExactly("owner a:2", "owner a:1");
        assertThat(state.readers()).extracting(LockHolder::permits).containsExactly(1, 2);
        assertThat(state.holder()).isEqualTo(state.readers().stream().findFirst());
        assertThat(state.waiters()).hasSize(1);
        assertThat(state.waiting()).isEqualTo(1);
    }

    @Test
    void forceReleaseTakesAllPermits() {
        take(a, 1, 1, 2);
        long token = take(b, 1, 1, 2);
        b.acquire(POOL, b.takes(POOL, 2, 2, 2));
        StoreProcess.answer(a.store.administration().forceRelease(POOL, TIMEOUT));
        assertThat(onlyMessage(a)).isEqualTo(new Told("revoked", List.of(POOL), a.id(1), token));
        host.settle(b);
        assertThat(b.told).extracting(Told::what).containsExactlyInAnyOrder("revoked", "granted");
        assertThat(inspect(POOL).readers()).extracting(LockHolder::owner).containsExactly("owner b:2");
        assertThat(a.end(POOL, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(inspect(POOL).permits().orElseThrow().used()).isEqualTo(2);
    }

    @Test
    void listingNamesSemaphores() {
        take(a, 1, 1, 2);
        LockName nested = new LockName("eu", "orders.{eu}1", true);
        assertThat(a.acquire(nested, a.takes(nested, 2, 1, 1)).answers()).hasOnlyElementsOfType(Granted.class);
        assertThat(scan("")).containsExactly(POOL);
        hold(b, 1);
        assertThat(scan("")).containsExactlyInAnyOrder(POOL, NAME);
        assertThat(scan("eu")).containsExactly(nested);
    }

    private List<LockName> scan(String namespace) {
        List<LockName> found = new ArrayList<>();
        ScanPage page = new ScanPage(List.of(), ScanCommand.START);
        do {
            page = StoreProcess.answer(b.store
                    .administration()
                    .scan(new ScanCommand(namespace, new NamePattern("orders.*"), page.cursor(), TIMEOUT)));
            found.addAll(page.names());
        } while (!page.isLast());
        return found;
    }

    private LockState.Permits resize(int size, long millis) {
        return StoreProcess.answer(b.store.administration().resize(POOL, size, millis, TIMEOUT));
    }

    private static LockState.Permits permits(int size, int used) {
        return new LockState.Permits(size < 0 ? OptionalInt.empty() : OptionalInt.of(size), used);
    }

    private static long take(StoreProcess process, int number, int count, int size) {
        return ((Granted) tries(process, number, count, size)).token();
    }

    private static Answer tries(StoreProcess process, int number, int count, int size) {
        return answer(process, process.tries(number).taking(POOL, new LockPermits(size, count)));
    }

    private static Answer answer(StoreProcess process, Request request) {
        return process.acquire(POOL, request).answers().get(0);
    }
}
