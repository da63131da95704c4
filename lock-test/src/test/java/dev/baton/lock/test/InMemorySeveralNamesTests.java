package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests requests for several names, which are granted all or none, and which other requests may pass on a free name for
 * a second.
 */
class InMemorySeveralNamesTests {

    private static final LockName A = new LockName("", "x.a");
    private static final LockName B = new LockName("", "x.b");
    private static final List<LockName> BOTH = List.of(A, B);

    private final MemoryStoreHost host = new MemoryStoreHost();
    private final StoreProcess one = host.start("one", true);
    private final StoreProcess two = host.start("two", true);

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    @Test
    void freeNamesAreGrantedTogetherUnderOneToken() {
        long token = ((Granted) both(one, 1)).token();
        assertThat(both(one, 1)).isEqualTo(new Granted(token, true));
        assertThat(one.renew(BOTH, 1, 1_000)).isEmpty();
        assertThat(one.end(BOTH, 1, 0, 0)).isEqualTo(new EndReply(Role.HOLDER, List.of(), false, false));
        assertThat(both(two, 1)).isInstanceOf(Granted.class);
    }

    @Test
    void nothingIsHeldUntilAllAreFree() {
        one.acquire(B, one.waits(1));
        assertThat(both(two, 1)).isInstanceOf(Busy.class);
        assertThat(one.acquire(A, one.tries(2)).answers()).hasOnlyElementsOfType(Granted.class);
        one.end(B, 1);
        host.settle(two);
        assertThat(two.told).isEmpty();
        one.end(A, 2);
        host.settle(two);
        assertThat(two.told).singleElement().satisfies(told -> {
            assertThat(told.names()).isEqualTo(BOTH);
            assertThat(told.id()).isEqualTo(two.id(1));
        });
        assertThat(two.end(BOTH, 1, 0, 0).role()).isEqualTo(Role.HOLDER);
    }

    @Test
    void waiterForSeveralNamesIsPassedForItsPatienceAndThenItsNamesAreKept() {
        one.acquire(B, one.waits(1));
        both(two, 1);
        assertThat(one.acquire(A, one.waits(2)).answers()).hasOnlyElementsOfType(Granted.class);
        one.end(A, 2);
        host.pass(Duration.ofMillis(1_001));
        assertThat(one.acquire(A, one.waits(3)).answers()).hasOnlyElementsOfType(Busy.class);
        assertThat(one.acquire(A, one.tries(4)).answers()).hasOnlyElementsOfType(Busy.class);
        one.end(B, 1);
        assertThat(messages(two)).extracting(Told::id).containsExactly(two.id(1));
        two.end(BOTH, 1, 0, 0);
        assertThat(messages(one)).extracting(Told::id).containsExactly(one.id(3));
    }

    @Test
    void leavingWaiterHandsOverTheNamesKeptForIt() {
        one.acquire(B, one.waits(1));
        both(two, 1);
        host.pass(Duration.ofMillis(1_001));
        one.acquire(A, one.waits(2));
        assertThat(two.end(BOTH, 1, 0, 0).role()).isEqualTo(Role.WAITER);
        assertThat(messages(one)).extracting(Told::id).containsExactly(one.id(2));
    }

    @Test
    void waiterForOneNameIsNeverPassed() {
        one.acquire(A, one.waits(1));
        one.acquire(A, one.waits(2));
        both(two, 1);
        host.expire(A);
        assertThat(both(two, 1)).isInstanceOf(Busy.class);
        assertThat(messages(one)).extracting(Told::id).containsExactly(one.id(2));
    }

    @Test
    void endAfterAForceReleaseReleasesTheRestAndReportsTheMissingName() {
        both(one, 1);
        two.acquire(B, two.waits(1));
        StoreProcess.answer(two.store.administration().forceRelease(A, StoreProcess.TIMEOUT));
        assertThat(messages(one)).extracting(Told::what).containsExactly("revoked");
        assertThat(one.renew(BOTH, 1, 1_000)).containsExactly(A);
        assertThat(one.end(BOTH, 1, 0, 0))
                .isEqualTo(new EndReply(Role.NOTHING, List.of(A), false, false, List.of(two.id(1))));
        assertThat(messages(two)).extracting(Told::id).containsExactly(two.id(1));
    }

    @Test
    void keptNameHasNoHolderAndBecomesFree() {
        one.acquire(A, one.waits(1));
        two.acquire(A, two.waits(1));
        assertThat(one.end(List.of(A), 1, 500, 0).role()).isEqualTo(Role.HOLDER);
        assertThat(one.renew(List.of(A), 1, 60_000)).containsExactly(A);
        host.pass(Duration.ofMillis(499));
        assertThat(two.acquire(A, two.waits(1)).answers()).hasOnlyElementsOfType(Busy.class);
        host.pass(Duration.ofMillis(1));
        assertThat(two.acquire(A, two.waits(1)).answers()).hasOnlyElementsOfType(Granted.class);
    }

    private static Answer both(StoreProcess process, int number) {
        return process.acquire(BOTH, StoreProcess.RECHECK, process.waits(number))
                .answers()
                .get(0);
    }

    private List<Told> messages(StoreProcess process) {
        host.settle(process);
        List<Told> told = List.copyOf(process.told);
        process.told.clear();
        return told;
    }
}
