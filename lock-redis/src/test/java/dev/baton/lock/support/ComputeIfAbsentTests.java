package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.ThrowingSupplier;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fifth seed's cache: look, lock, look again, compute, store; two processes on one Redis share what is stored. */
@Timeout(60)
class ComputeIfAbsentTests extends OnBackend {

    private static final LockRequest REQUEST = LockRequest.of("report", 7);
    private static final int THREADS = 8;

    private final Map<String, String> stored = new ConcurrentHashMap<>();
    private final AtomicInteger computed = new AtomicInteger();
    private LockTemplate one;
    private LockTemplate other;

    ComputeIfAbsentTests() {
        super(Backend.LETTUCE);
    }

    @BeforeEach
    void start() {
        one = processes.start();
        other = processes.other();
    }

    @Test
    void oneOfManyCallersInTwoProcessesComputes() throws Exception {
        List<Future<String>> callers = callAll(() -> {
            awaitQueued(2 * THREADS - 1);
            return "value " + computed.incrementAndGet();
        });
        for (Future<String> caller : callers) {
            assertThat(caller.get(20, TimeUnit.SECONDS)).isEqualTo("value 1");
        }
        assertThat(computed).hasValue(1);
    }

    @Test
    void callersThatWaitedForNullComputeInTheirTurn() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Future<String>> callers = callAll(() -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            int turn = computed.incrementAndGet();
            if (turn == 1) {
                awaitQueued(2 * THREADS - 1);
            }
            inside.decrementAndGet();
            return turn < 3 ? null : "third";
        });
        List<String> values = new ArrayList<>();
        for (Future<String> caller : callers) {
            values.add(caller.get(20, TimeUnit.SECONDS));
        }
        assertThat(values).filteredOn(value -> value == null).hasSize(2);
        assertThat(values).filteredOn("third"::equals).hasSize(2 * THREADS - 2);
        assertThat(computed).hasValue(3);
    }

    @Test
    void valueThatIsThereCostsNoCommand() {
        stored.put("7", "old");
        redis.resetStats();
        assertThat(one.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isEqualTo("old");
        assertThat(redis.commandStats()).doesNotContainKeys("evalsha", "eval");
    }

    @Test
    void callerThatWaitsTooLongComputesNothing() {
        try (Lease lease = other.acquire(REQUEST)) {
            assertThatThrownBy(() -> one.computeIfAbsent(
                            REQUEST.waitTime(Duration.ofMillis(800)), this::lookup, this::compute, this::store))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("report.7");
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
                            redis.command("DEL", "lock:lock:{report.7}");
                            assertThat(other.computeIfAbsent(REQUEST, this::lookup, () -> "newer", this::store))
                                    .isEqualTo("newer");
                            assertThat(LockContext.currentLease().renew()).isFalse();
                            return "older";
                        },
                        this::store))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.getResult()).isEqualTo("older"));
        assertThat(stored).containsEntry("7", "newer");
    }

    @Test
    void nothingIsComputedWhileRedisIsDown() {
        redis.stop();
        assertThatThrownBy(() -> one.computeIfAbsent(
                        REQUEST.waitTime(Duration.ofMillis(300)), this::lookup, this::compute, this::store))
                .isInstanceOf(LockStoreException.class);
        assertThat(computed).hasValue(0);
        redis.restart();
    }

    @Test
    void namespacesComputeApart() {
        LockOperations orders = one.withNamespace("orders");
        assertThat(one.<String, RuntimeException, RuntimeException, RuntimeException>computeIfAbsent(
                        REQUEST,
                        this::lookup,
                        () -> orders.computeIfAbsent(
                                REQUEST.reentrant(false),
                                () -> null,
                                () -> LockContext.currentLease().redisKeys().get(0),
                                key -> {}),
                        this::store))
                .isEqualTo("lock:orders:lock:{report.7}");
    }

    private List<Future<String>> callAll(ThrowingSupplier<@Nullable String, Exception> compute) {
        List<Future<String>> callers = new ArrayList<>();
        for (LockTemplate process : List.of(one, other)) {
            for (int i = 0; i < THREADS; i++) {
                callers.add(threads.submit(
                        () -> process.computeIfAbsent(REQUEST.waitUnbounded(), this::lookup, compute, this::store)));
            }
        }
        return callers;
    }

    private void awaitQueued(long count) {
        processes.awaitWaiting(redis, "lock:queue:{report.7}", count);
    }

    private void assertFree() {
        assertThat(other.tryExecute(REQUEST, Lease::isHeld).isExecuted()).isTrue();
    }

    private @Nullable String lookup() {
        return stored.get("7");
    }

    private String compute() {
        return "value " + computed.incrementAndGet();
    }

    private void store(String value) {
        stored.put("7", value);
    }
}
