package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Looking at the waiters of a lock, from a process that does not hold it. Needs a queue. */
public abstract class WaiterInspectionScenarios extends Scenarios {

    private static final LockRequest REQUEST =
            LockRequest.of("server_access", 42).expire(Duration.ofSeconds(60));
    private static final Duration NEVER = Duration.ofSeconds(30);

    @Test
    void holderAndWaitersAreSeenByAnother() throws Exception {
        LockTemplate one = start();
        LockTemplate other = start();
        // waiters of one process may stand in the queue as one
        LockTemplate apart = start();
        Lease lease = one.acquire(REQUEST);
        Future<String> second = waiting(apart, REQUEST, "second");
        awaitWaiting(other, REQUEST, 1);
        fleet.pass(Duration.ofMillis(10));
        Future<String> third = waiting(other, REQUEST, "third");
        awaitWaiting(other, REQUEST, 2);
        LockState state = other.inspect(REQUEST);
        LockHolder holder = state.holder().orElseThrow();
        assertThat(holder.owner()).isEqualTo(lease.owner());
        assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(holder.label()).endsWith("/" + Thread.currentThread().getName());
        assertThat(state.remaining()).isEqualTo(holder.remaining()).isBetween(NEVER, Duration.ofSeconds(60));
        assertThat(state.waiters())
                .extracting(LockWaiter::label)
                .satisfiesExactly(
                        label -> assertThat(label).endsWith("/second"),
                        label -> assertThat(label).endsWith("/third"));
        assertThat(state.waiters()).extracting(LockWaiter::waitedFor).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(state.waiters().get(0).waitedFor())
                .isGreaterThan(state.waiters().get(1).waitedFor());
        assertThat(state.waiting()).isEqualTo(2);
        assertThat(other.isLocked(REQUEST)).isTrue();
        lease.release();
        assertThat(fleet.get(second, Duration.ofSeconds(5))).isEqualTo("second");
        assertThat(fleet.get(third, Duration.ofSeconds(5))).isEqualTo("third");
        fleet.until(Duration.ofSeconds(2), () -> !other.isLocked(REQUEST));
    }

    @Test
    void ofManyWaitersTheFirstAreNamedAndAllAreCounted() throws Exception {
        // in strict order: each of its waiters stands in the queue
        LockTemplate one = start(builder -> builder.cohortLimit(0));
        LockTemplate other = start();
        int count = LockState.MOST_WAITERS + 20;
        Lease lease = one.acquire(REQUEST);
        List<Future<String>> waiters = IntStream.range(0, count)
                .mapToObj(i -> waiting(one, REQUEST, "w" + i))
                .toList();
        awaitWaiting(other, REQUEST, count);
        assertThat(other.inspect(REQUEST).waiters()).hasSize(LockState.MOST_WAITERS);
        lease.release();
        for (Future<String> waiter : waiters) {
            fleet.get(waiter, Duration.ofSeconds(10));
        }
    }

    @Test
    void waitersOfANestedNamespaceAreCountedThere() throws Exception {
        LockTemplate one = start();
        LockTemplate other = start();
        LockRequest nine = LockRequest.of("server_access", 9);
        LockOperations orders = one.withNamespace("orders").withNamespace("eu");
        orders.acquire(nine);
        Future<String> waiter = waiting(other.withNamespace("orders:eu"), nine, "waiter");
        awaitWaiting(orders, nine, 1);
        List<LockState> nested = other.withNamespace("orders").list("*", "eu").toList();
        assertThat(nested).extracting(LockState::name).containsExactly("server_access.9");
        assertThat(nested.get(0).waiting()).isEqualTo(1);
        assertThat(other.inspect(nine).waiting()).as("in no namespace").isZero();
        assertThat(orders.forceRelease(nine)).isTrue();
        fleet.get(waiter, Duration.ofSeconds(5));
        assertThat(one.isLocked(nine)).isFalse();
    }

    /** Starts a process that notices nothing by asking again. */
    private LockTemplate start() {
        return start(builder -> {});
    }

    private LockTemplate start(Consumer<LockTemplateBuilder> settings) {
        return fleet.start(builder -> settings.accept(builder.recheck(NEVER)));
    }

    private void awaitWaiting(LockOperations process, LockRequest request, long count) {
        fleet.until(
                Duration.ofSeconds(10), () -> process.inspect(request).waiting() == count);
    }

    /** Acquires and releases on a thread of this name, and returns the name. */
    private Future<String> waiting(LockOperations process, LockRequest request, String thread) {
        return fleet.begin(() -> {
            Thread.currentThread().setName(thread);
            return process.execute(request.waitUnbounded(), lease -> thread);
        });
    }
}
