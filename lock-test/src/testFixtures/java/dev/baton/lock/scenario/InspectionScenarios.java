package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking at locks, listing them and taking them away, from a process that does not hold them. */
public abstract class InspectionScenarios extends Scenarios {

    /** Renewed after a third of its lease. */
    protected static final LockRequest REQUEST =
            LockRequest.of("server_access", 42).expire(Duration.ofSeconds(60)).renew(Renewal.ALWAYS);

    private static final LockRequest X = LockRequest.of("x");
    private static final Duration NEVER = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(2);

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        // so that nothing is noticed by asking again
        one = fleet.start(builder -> builder.recheck(NEVER));
        other = fleet.start(builder -> builder.recheck(NEVER));
    }

    @Test
    void freeLockIsFree() {
        LockState state = other.inspect(REQUEST);
        assertThat(state).isEqualTo(new LockState("", "server_access.42", state.holder(), List.of(), 0));
        assertThat(state.isLocked()).isFalse();
        assertThat(state.remaining()).isZero();
        assertThat(other.isLocked(REQUEST)).isFalse();
        assertThat(other.forceRelease(REQUEST)).isFalse();
    }

    @Test
    void holderIsSeenByAnother() {
        Lease lease = one.acquire(REQUEST);
        LockState state = other.inspect(REQUEST);
        LockHolder holder = state.holder().orElseThrow();
        assertThat(holder.owner()).isEqualTo(lease.owner());
        assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(holder.label()).endsWith("/" + Thread.currentThread().getName());
        assertThat(state.remaining()).isEqualTo(holder.remaining()).isBetween(NEVER, Duration.ofSeconds(60));
        assertThat(other.isLocked(REQUEST)).isTrue();
        lease.release();
        fleet.until(SOON, () -> !other.isLocked(REQUEST));
    }

    @Test
    void inspectLooksAtOneLockAndIsLockedAtAny() {
        LockRequest both = REQUEST.and(X);
        assertThatThrownBy(() -> other.inspect(both))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 (server_access.42, x.global)");
        assertThat(other.isLocked(both)).isFalse();
        one.acquire(X);
        assertThat(other.isLocked(both)).isTrue();
        assertThat(other.forceRelease(both)).isTrue();
        assertThat(other.isLocked(both)).isFalse();
    }

    @Test
    void forceReleaseTellsTheHolder() {
        Lease lease = one.acquire(REQUEST);
        AtomicBoolean told = new AtomicBoolean();
        lease.onLost(() -> told.set(true));
        assertThat(other.forceRelease(REQUEST)).isTrue();
        fleet.until(untilTold(), told::get);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.renew()).isFalse();
        assertThatThrownBy(lease::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining(fleet.isSubscribed() ? "it was force-released" : "Redis no longer knew it");
        assertThat(other.tryAcquire(REQUEST)).isPresent();
        fleet.until(Duration.ofSeconds(10), () -> EngineCounters.openRequests(one) == 0);
    }

    @Test
    void forceReleaseHandsTheLockToTheFirstWaiter() throws Exception {
        Lease lease = one.acquire(REQUEST);
        Future<Lease> next = fleet.begin(() -> other.acquire(REQUEST));
        fleet.awaitWaiting(REQUEST, 1);
        assertThat(other.forceRelease(REQUEST)).isTrue();
        Lease granted = fleet.get(next, SOON);
        assertThat(granted.fencingToken()).isGreaterThan(lease.fencingToken());
        fleet.until(untilTold(), () -> !lease.isHeld());
        assertThat(lease.release()).isFalse();
        assertThat(granted.isHeld()).isTrue();
        assertThat(granted.release()).isTrue();
    }

    @Test
    void ownProcessCanTakeItsLockAwayToo() {
        Lease lease = one.acquire(REQUEST);
        assertThat(one.forceRelease(REQUEST)).isTrue();
        fleet.until(untilTold(), () -> !lease.isHeld());
        assertThat(one.acquire(REQUEST).isHeld())
                .as("its owner may have it again")
                .isTrue();
        assertThatThrownBy(lease::close).as("told at its close").isInstanceOf(LockLostException.class);
    }

    /** A process that polls is told nothing, and notices at its next renewal. */
    private Duration untilTold() {
        return fleet.isSubscribed() ? SOON : Duration.ofSeconds(20).plus(SOON);
    }

    @Test
    void listHasTheHeldLocksOfItsNamespaceThatAreLikeThePattern() {
        LockRequest nine = LockRequest.of("server_access", 9);
        LockOperations orders = one.withNamespace("orders").withNamespace("eu");
        List<LockRequest> held = List.of(
                LockRequest.of("server_access", 1),
                LockRequest.of("server_access", "a*b"),
                LockRequest.of("server_access", "a}b{c}[d]"),
                LockRequest.of("server_access", "line\nbreak ü"),
                LockRequest.of("server_access", ":lock:"));
        held.forEach(one::acquire);
        one.acquire(LockRequest.of("other", 1));
        orders.acquire(nine);

        assertThat(names(other.list("server_access.*")))
                .containsExactlyInAnyOrderElementsOf(
                        held.stream().map(LockRequest::name).toList());
        assertThat(names(other.list("*"))).hasSize(6);
        assertThat(names(other.list("?ther.1"))).containsExactly("other.1");
        assertThat(names(other.list("*.a\\*b"))).containsExactly("server_access.a*b");
        assertThat(names(other.list("*[d]"))).containsExactly("server_access.a}b{c}[d]");
        assertThat(names(other.list("*\nbreak ?"))).containsExactly("server_access.line\nbreak ü");
        assertThat(names(other.list("server_access"))).isEmpty();

        List<LockState> nested = other.withNamespace("orders").list("*", "eu").toList();
        assertThat(nested).extracting(LockState::name).containsExactly("server_access.9");
        assertThat(nested.get(0).namespace()).isEqualTo("orders:eu");
        assertThat(names(other.withNamespace("orders").list("*"))).isEmpty();
        assertThat(orders.isLocked(nine)).isTrue();
        assertThat(orders.forceRelease(nine)).isTrue();
        assertThat(orders.isLocked(nine)).isFalse();
        assertThat(one.isLocked(nine)).isFalse();
    }

    @Test
    void whatIsGivenBackMeanwhileIsNotListed() {
        Lease lease = one.acquire(X);
        Stream<LockState> stream = other.list("*");
        lease.release();
        fleet.until(SOON, () -> !other.isLocked(X));
        assertThat(stream).isEmpty();
    }

    @Test
    void emptyPatternAndBadNamespaceAreRefusedAtOnce() {
        assertThatThrownBy(() -> other.list(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.list("a\\")).hasMessageContaining("backslash");
        assertThatThrownBy(() -> other.list("*", "a{b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void stoppedTemplateIsNotAsked() {
        other.close();
        assertThatThrownBy(() -> other.isLocked(REQUEST)).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> other.list("*").toList()).isInstanceOf(LockStoreException.class);
    }

    protected static List<String> names(Stream<LockState> states) {
        return states.map(LockState::name).toList();
    }
}
