package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.ThrowingSupplier;
import dev.baton.lock.support.LockTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cache that two processes share: look, lock, look again, compute, store. */
public abstract class ComputeIfAbsentScenarios extends Scenarios {

    protected static final LockRequest REQUEST = LockRequest.of("report", 7);
    private static final String LOCK = "report.7";
    private static final int THREADS = 8;

    protected final Map<String, String> stored = new ConcurrentHashMap<>();
    protected final AtomicInteger computed = new AtomicInteger();
    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start();
        other = fleet.start();
    }

    @Test
    void oneOfManyCallersInTwoProcessesComputes() throws Exception {
        List<Future<String>> callers = callAllTogether(() -> "value " + computed.incrementAndGet());
        for (Future<String> caller : callers) {
            assertThat(fleet.get(caller)).isEqualTo("value 1");
        }
        assertThat(computed).hasValue(1);
    }

    @Test
    void callersThatWaitedForNullComputeInTheirTurn() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Future<String>> callers = callAllTogether(() -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            int turn = computed.incrementAndGet();
            inside.decrementAndGet();
            return turn < 3 ? null : "third";
        });
        List<String> values = new ArrayList<>();
        for (Future<String> caller : callers) {
            values.add(fleet.get(caller));
        }
        assertThat(values).filteredOn(value -> value == null).hasSize(2);
        assertThat(values).filteredOn("third"::equals).hasSize(2 * THREADS - 2);
        assertThat(computed).hasValue(3);
    }

    @Test
    void valueThatIsThereNeedsNoLock() {
        stored.put("7", "old");
        try (Lease lease = other.acquire(REQUEST)) {
            assertThat(one.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                    .isEqualTo("old");
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(computed).hasValue(0);
    }

    @Test
    void callerThatWaitsTooLongComputesNothing() {
        try (Lease lease = other.acquire(REQUEST)) {
            assertThatThrownBy(() -> fleet.call(() -> one.computeIfAbsent(
                            REQUEST.waitTime(Duration.ofMillis(800)), this::lookup, this::compute, this::store)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining(LOCK);
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(computed).hasValue(0);
        assertThat(stored).isEmpty();
    }

    @Test
    void failureOfAnyPartLeavesTheLockFree() {
        assertThatThrownBy(() -> one.computeIfAbsent(
                        REQUEST,
                        () -> {
                            if (LockContext.findLease().isPresent()) {
                                throw new IOException("look");
                            }
                            return lookup();
                        },
                        this::compute,
                        this::store))
                .isInstanceOf(IOException.class);
        assertFree();
        assertThatThrownBy(() -> one.computeIfAbsent(
                        REQUEST,
                        this::lookup,
                        () -> {
                            throw new IOException("compute");
                        },
                        this::store))
                .isInstanceOf(IOException.class);
        assertFree();
        assertThatThrownBy(() -> one.computeIfAbsent(REQUEST, this::lookup, this::compute, value -> {
                    throw new IOException("store");
                }))
                .isInstanceOf(IOException.class);
        assertFree();
        assertThat(stored).isEmpty();
    }

    @Test
    void valueComputedUnderALostLeaseIsNotStoredOverThatOfTheNextHolder() {
        assertThatThrownBy(() -> one.computeIfAbsent(
                        REQUEST,
                        this::lookup,
                        () -> {
                            fleet.delete(LOCK);
                            assertThat(other.computeIfAbsent(REQUEST, this::lookup, () -> "newer", this::store))
                                    .isEqualTo("newer");
                            assertThat(LockContext.currentLease().renew()).isFalse();
                            return "older";
                        },
                        this::store))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.result()).isEqualTo("older"));
        assertThat(stored).containsEntry("7", "newer");
    }

    @Test
    void namespacesComputeApart() {
        LockOperations orders = one.withNamespace("orders");
        List<String> keys = new ArrayList<>();
        assertThat(one.<String, RuntimeException, RuntimeException, RuntimeException>computeIfAbsent(
                        REQUEST,
                        this::lookup,
                        () -> {
                            keys.addAll(LockContext.currentLease().redisKeys());
                            return orders.computeIfAbsent(
                                    REQUEST.reentrant(false),
                                    () -> null,
                                    () -> LockContext.currentLease().redisKeys().get(0),
                                    keys::add);
                        },
                        this::store))
                .isEqualTo(keys.get(1));
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    /** Begins callers that have all looked in vain and wait before the first of them is let in. */
    private List<Future<String>> callAllTogether(ThrowingSupplier<@Nullable String, Exception> compute)
            throws Exception {
        List<Future<String>> callers = new ArrayList<>();
        try (Lease held = fleet.start().acquire(REQUEST)) {
            for (LockTemplate process : List.of(one, other)) {
                for (int i = 0; i < THREADS; i++) {
                    callers.add(fleet.begin(() -> process.computeIfAbsent(
                            REQUEST.waitUnbounded(), this::lookup, compute, this::store)));
                }
            }
            fleet.awaitWaiting(LOCK, 2 * THREADS);
            assertThat(held.isHeld()).isTrue();
        }
        return callers;
    }

    private void assertFree() {
        assertThat(other.tryExecute(REQUEST, Lease::isHeld).isExecuted()).isTrue();
    }

    protected @Nullable String lookup() {
        return stored.get("7");
    }

    protected String compute() {
        return "value " + computed.incrementAndGet();
    }

    protected void store(String value) {
        stored.put("7", value);
    }
}
