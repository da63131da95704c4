package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Contract of a store whose requests can share locks: readers share a lock with each other, and with no writer. */
abstract class SharedLocksContract extends BasicStoreContract {

    private static final DowngradeReply REFUSED = new DowngradeReply(OptionalLong.empty(), false, List.of());

    @Test
    void readersShareALockAndItsToken() {
        Granted first = read(a, 1);
        Granted second = read(b, 1);
        assertThat(first.again()).isFalse();
        assertThat(first.number()).isEqualTo(first.token());
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(second.number()).isGreaterThan(first.number());
        assertThat(a.acquire(NAME, a.reads(NAME, 1)).answers())
                .containsExactly(new Granted(first.token(), true, second.number()));
        Busy busy = (Busy) a.acquire(NAME, a.tries(2)).answers().get(0);
        assertThat(busy.mark()).isEqualTo(second.number());
        assertThat(busy.holder())
                .satisfies(holder -> assertThat(holder.fencingToken()).isEqualTo(first.token()));
    }

    @Test
    void lockIsFreeAfterItsLastReader() {
        read(a, 1);
        read(b, 1);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.HOLDER);
        assertThat(a.acquire(NAME, a.tries(2)).answers()).hasOnlyElementsOfType(Busy.class);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(b.end(NAME, 1).role()).isEqualTo(Role.HOLDER);
        assertThat(hold(a, 2)).isPositive();
    }

    @Test
    void tokensGrowFromRunToWriterToRun() {
        long run = read(a, 1).token();
        a.end(NAME, 1);
        long writer = hold(b, 1);
        b.end(NAME, 1);
        assertThat(List.of(run, writer, read(a, 2).token())).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void readersAreGrantedTogetherUpToTheFirstWriter() {
        hold(a, 1);
        b.acquire(NAME, b.reads(NAME, 1), b.reads(NAME, 2), b.waits(3), b.reads(NAME, 4));
        EndReply reply = a.end(NAME, 1);
        assertThat(reply.handedTo()).containsExactly(b.id(1), b.id(2));
        assertThat(reply.token()).isEmpty();
        host.settle(b);
        long token = inspect().holder().orElseThrow().fencingToken();
        assertThat(b.told)
                .containsExactly(
                        new Told("granted", List.of(NAME), b.id(1), token, token),
                        new Told("granted", List.of(NAME), b.id(2), token, token));
        b.told.clear();
        b.end(NAME, 1);
        host.settle(b);
        assertThat(b.told).isEmpty();
        EndReply last = b.end(NAME, 2);
        assertThat(last.handedTo()).containsExactly(b.id(3));
        assertThat(last.token().orElseThrow())
                .as("a writer of the same process")
                .isGreaterThan(token);
    }

    @Test
    void newcomerDoesNotPassAWriter() {
        read(a, 1);
        b.acquire(NAME, b.waits(1));
        assertThat(a.acquire(NAME, a.reads(NAME, 2)).answers()).hasOnlyElementsOfType(Busy.class);
        assertThat(a.acquire(NAME, a.tries(3).sharing(Set.of(NAME))).answers()).hasOnlyElementsOfType(Busy.class);
    }

    @Test
    void writerThatLeavesLetsReadersJoin() {
        long token = read(a, 1).token();
        b.acquire(NAME, b.waits(1), b.reads(NAME, 2));
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(b.id(2));
        Told told = onlyMessage(b);
        assertThat(told.token()).isEqualTo(token);
        assertThat(told.number()).isGreaterThan(token);
    }

    @Test
    void recheckOfAReaderHandsOverASharedLock() {
        read(a, 1);
        b.acquire(NAME, b.request(1, Kind.MESSAGE, 1_000, 5), b.reads(NAME, 2));
        host.pass(Duration.ofMillis(10));
        assertThat(b.acquire(NAME, b.reads(NAME, 2)).answers()).hasOnlyElementsOfType(Granted.class);
    }

    @Test
    void writerThatCannotBeNotifiedIsPassedByOneReaderOfAFreeLock() {
        StoreProcess deaf = host.start("deaf", false);
        hold(a, 1);
        deaf.acquire(NAME, deaf.waits(1));
        b.acquire(NAME, b.reads(NAME, 1), b.reads(NAME, 2));
        assertThat(a.end(NAME, 1).handedTo()).containsExactly(b.id(1));
        assertThat(a.acquire(NAME, a.tries(2).sharing(Set.of(NAME))).answers()).hasOnlyElementsOfType(Busy.class);
        deaf.close();
    }

    @Test
    void readerThatCannotBeNotifiedIsPassed() {
        StoreProcess deaf = host.start("deaf", false);
        hold(a, 1);
        deaf.acquire(NAME, deaf.reads(NAME, 1));
        b.acquire(NAME, b.reads(NAME, 1));
        assertThat(a.end(NAME, 1).handedTo()).containsExactly(b.id(1));
        assertThat(deaf.acquire(NAME, deaf.reads(NAME, 1)).answers()).hasOnlyElementsOfType(Granted.class);
        deaf.close();
    }

    @Test
    void leaseOfEachReaderEndsOnItsOwn() {
        a.acquire(NAME, a.request(1, Kind.TRY, 30, -1).sharing(Set.of(NAME)));
        read(b, 1);
        b.acquire(NAME, b.waits(2));
        host.pass(Duration.ofMillis(40));
        assertThat(a.renew(List.of(NAME), 1, 1_000)).containsExactly(NAME);
        assertThat(b.renew(List.of(NAME), 1, 120_000)).isEmpty();
        assertThat(inspect().remaining()).isGreaterThan(Duration.ofSeconds(110));
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(b.id(2));
    }

    @Test
    void keptReaderKeepsWritersOutAndNoReader() {
        read(a, 1);
        a.end(List.of(NAME), 1, 5_000, 0);
        assertThat(b.acquire(NAME, b.tries(1)).answers()).hasOnlyElementsOfType(Busy.class);
        read(b, 2);
        b.end(NAME, 2);
        assertThat(inspect().remaining())
                .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(5).plusMillis(1));
    }

    @Test
    void endedReaderIsOver() {
        a.end(List.of(NAME), 1, 0, 1_000);
        assertThat(a.acquire(NAME, a.reads(NAME, 1)).answers()).hasOnlyElementsOfType(Over.class);
    }

    @Test
    void inspectionNamesEveryReader() {
        read(a, 1);
        read(b, 1);
        b.acquire(NAME, b.waits(2));
        LockState state = inspect();
        assertThat(state.isShared()).isTrue();
        assertThat(state.readers()).extracting(LockHolder::owner).containsExactlyInAnyOrder("owner a:1", "owner b:1");
        assertThat(state.holder().orElseThrow().owner()).isIn("owner a:1", "owner b:1");
        assertThat(state.waiting()).isEqualTo(1);
        a.end(NAME, 1);
        b.end(NAME, 1);
        assertThat(inspect().readers()).as("a writer holds it").isEmpty();
    }

    @Test
    void forceReleaseTellsEveryReader() {
        read(a, 1);
        long number = read(b, 1).number();
        StoreProcess.answer(a.store.administration().forceRelease(NAME, TIMEOUT));
        assertThat(onlyMessage(a)).isEqualTo(new Told("revoked", List.of(NAME), a.id(1), number));
        assertThat(onlyMessage(b)).isEqualTo(new Told("revoked", List.of(NAME), b.id(1), number));
        assertThat(inspect().isLocked()).isFalse();
    }

    @Test
    void forcedRequestTakesTheLockFromEveryReader() {
        long run = read(a, 1).token();
        long number = read(b, 1).number();
        ForceAcquireReply reply = b.force(List.of(NAME), run, b.tries(2));
        assertThat(((Granted) reply.answer()).token()).isGreaterThan(number);
        assertThat(reply.taken()).extracting(LockHolder::fencingToken).containsExactly(run);
        assertThat(onlyMessage(a)).isEqualTo(new Told("revoked", List.of(NAME), a.id(1), number));
        assertThat(onlyMessage(b)).isEqualTo(new Told("revoked", List.of(NAME), b.id(1), number));
        assertThat(inspect().isShared()).isFalse();
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(b.end(NAME, 2).role()).isEqualTo(Role.HOLDER);
    }

    @Test
    void forcedReaderBeginsARunThatReadersBehindNoWriterJoin() {
        long before = read(a, 1).token();
        a.acquire(NAME, a.waits(2));
        a.acquire(NAME, a.reads(NAME, 3));
        Request reader = b.tries(2).sharing(Set.of(NAME));
        Granted granted = (Granted)
                b.force(List.of(NAME), ForceAcquireCommand.ANY, reader).answer();
        assertThat(granted.token()).isGreaterThan(before);
        assertThat(onlyMessage(a).what()).as("no reader passes the writer").isEqualTo("revoked");
        a.end(NAME, 2);
        Told told = onlyMessage(a);
        assertThat(told.id()).isEqualTo(a.id(3));
        assertThat(told.token()).isEqualTo(granted.token());
        assertThat(b.force(List.of(NAME), ForceAcquireCommand.ANY, reader).answer())
                .isEqualTo(new Granted(granted.token(), true, told.number()));
    }

    @Test
    void forcedReaderLetsReadersThatWaitForAWriterJoin() {
        hold(a, 1);
        a.acquire(NAME, a.reads(NAME, 2));
        Request reader = b.tries(1).sharing(Set.of(NAME));
        Granted granted = (Granted)
                b.force(List.of(NAME), ForceAcquireCommand.ANY, reader).answer();
        host.settle(a);
        assertThat(a.told).extracting(Told::what).containsExactlyInAnyOrder("revoked", "granted");
        assertThat(a.told)
                .filteredOn(told -> told.what().equals("granted"))
                .singleElement()
                .returns(a.id(2), Told::id)
                .returns(granted.token(), Told::token);
    }

    @Test
    void eachProcessWithReadersIsToldOnceThatTheLockIsWanted() {
        read(a, 1);
        read(a, 2);
        read(b, 1);
        assertThat(b.tellHolders(NAME)).isEqualTo(2);
        assertThat(onlyMessage(a).what()).isEqualTo("wanted");
        assertThat(onlyMessage(b).id()).isEqualTo(b.id(1));
    }

    @Test
    void downgradeBeginsARunAndLetsReadersJoin() {
        long writer = hold(a, 1);
        b.acquire(NAME, b.reads(NAME, 1), b.waits(2));
        DowngradeReply reply = a.downgrade(NAME, 1, a.reads(NAME, 2));
        long token = reply.token().orElseThrow();
        assertThat(token).isGreaterThan(writer);
        assertThat(reply.handedTo()).containsExactly(b.id(1));
        assertThat(onlyMessage(b).token()).isEqualTo(token);
        assertThat(a.downgrade(NAME, 1, a.reads(NAME, 2)).token())
                .as("repeated")
                .hasValue(token);
        assertThat(a.acquire(NAME, a.waits(1)).answers()).as("late").hasOnlyElementsOfType(Over.class);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.NOTHING);
        assertThat(a.end(NAME, 2).role()).isEqualTo(Role.HOLDER);
        assertThat(b.end(NAME, 1).handedTo()).containsExactly(b.id(2));
    }

    @Test
    void downgradeDoesNotShortenTheLease() {
        hold(a, 1);
        Request brief = a.request(2, Kind.MESSAGE, 1_000, -1).sharing(Set.of(NAME));
        a.downgrade(NAME, 1, brief);
        assertThat(inspect().remaining()).isGreaterThan(Duration.ofSeconds(50));
    }

    @Test
    void downgradeIsRefusedWithoutTheGrantAndAfterTheEnd() {
        assertThat(a.downgrade(NAME, 1, a.reads(NAME, 2))).isEqualTo(REFUSED);
        hold(a, 1);
        a.end(List.of(NAME), 2, 0, 60_000);
        assertThat(a.downgrade(NAME, 1, a.reads(NAME, 2))).isEqualTo(REFUSED);
        assertThat(a.end(NAME, 1).role()).isEqualTo(Role.HOLDER);
    }

    @Test
    void requestForSeveralLocksHasAModePerLock() {
        long run = read(a, 1).token();
        Request mixed = b.waits(1).sharing(Set.of(NAME));
        AcquireReply reply = b.acquire(BOTH, StoreProcess.RECHECK, mixed);
        Granted granted = (Granted) reply.answers().get(0);
        assertThat(granted.token()).isGreaterThan(run);
        assertThat(granted.number()).isEqualTo(granted.token());
        assertThat(b.acquire(BOTH, StoreProcess.RECHECK, mixed).answers())
                .containsExactly(new Granted(granted.token(), true, granted.number()));
        assertThat(inspect(NAME).readers()).hasSize(2);
        assertThat(inspect(OTHER).readers()).isEmpty();
        assertThat(a.acquire(OTHER, a.tries(2).sharing(Set.of(OTHER))).answers())
                .hasOnlyElementsOfType(Busy.class);
        assertThat(b.renew(BOTH, 1, 90_000)).isEmpty();
        assertThat(b.end(BOTH, 1, 0, 0).role()).isEqualTo(Role.HOLDER);
        assertThat(inspect(NAME).readers()).hasSize(1);
        assertThat(inspect(OTHER).isLocked()).isFalse();
    }

    @Test
    void waiterForSeveralLocksIsGrantedEachInItsMode() {
        hold(a, OTHER, 1);
        b.acquire(BOTH, StoreProcess.RECHECK, b.waits(1).sharing(Set.of(NAME)));
        a.end(OTHER, 1);
        Told told = onlyMessage(b);
        assertThat(told.id()).isEqualTo(b.id(1));
        assertThat(told.number()).isEqualTo(told.token());
        assertThat(inspect(NAME).isShared()).isTrue();
        assertThat(inspect(OTHER).isShared()).isFalse();
    }

    private static Granted read(StoreProcess process, int number) {
        LockName name = NAME;
        return (Granted) process.acquire(name, process.tries(number).sharing(Set.of(name)))
                .answers()
                .get(0);
    }
}
