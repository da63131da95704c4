package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the processes believe of a lock that they share, in virtual time. */
@Tag("once")
@Timeout(120)
class SharedBeliefTests {

    private static final Duration LEASE = Duration.ofMillis(60);
    private static final Duration RECHECK = Duration.ofMillis(150);
    private static final LockRequest WRITE = LockRequest.of("k", "a");

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());

    /** A lease, and whether its holder is a writer. */
    private record Believed(Lease lease, boolean writes) {

        @Override
        public String toString() {
            return (writes ? "writer " : "reader ") + lease.owner() + " for " + lease.remaining();
        }
    }

    /** A request in a thread of its own. */
    private record Asked(CompletableFuture<Optional<Lease>> answer, LockRequest request) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 32})
    void noWriterBelievesInALockTogetherWithOthersWhenMessagesAreLaterThanALease(int cohortLimit) throws Exception {
        int grants = 0;
        for (int run = 0; run < 2; run++) {
            grants += believe(seed + run, cohortLimit);
        }
        assertThat(grants).as("a run with few grants is not conclusive").isGreaterThan(60);
    }

    private static int believe(long seed, int cohortLimit) throws Exception {
        Random random = new Random(seed);
        Random delays = new Random(seed);
        VirtualMode mode = new VirtualMode(WaitStrategy.GRANT, cohortLimit, ReleaseMode.CONFIRMED);
        int grants = 0;
        try (VirtualFleet fleet = new VirtualFleet(
                mode,
                (store, timer) -> LateMessages.of(
                        store,
                        // one in three is on time
                        message -> timer.schedule(
                                message,
                                TimeUnit.MILLISECONDS.toNanos(delays.nextInt(3) == 0 ? 0 : delays.nextInt(400)))))) {
            List<LockTemplate> processes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                processes.add(fleet.start(builder -> builder.recheck(RECHECK)));
            }
            List<Asked> asked = new ArrayList<>();
            List<Believed> held = new ArrayList<>();
            for (int step = 0; step < 150; step++) {
                LockTemplate process = processes.get(random.nextInt(processes.size()));
                if (asked.size() < 10) {
                    LockRequest request = WRITE.mode(random.nextInt(3) == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED)
                            .expire(LEASE)
                            .waitTime(Duration.ofSeconds(2))
                            .owner("o" + step);
                    asked.add(new Asked(fleet.begin(() -> process.tryAcquire(request)), request));
                }
                for (int moment = random.nextInt(8); moment >= 0; moment--) {
                    fleet.pass(Duration.ofMillis(1));
                    for (Asked one : List.copyOf(asked)) {
                        if (one.answer().isDone()) {
                            asked.remove(one);
                            granted(one)
                                    .ifPresent(lease -> held.add(
                                            new Believed(lease, one.request().mode() == LockMode.EXCLUSIVE)));
                        }
                    }
                    held.removeIf(one -> !one.lease().isHeld());
                    assertThat(held.stream().anyMatch(Believed::writes) && held.size() > 1)
                            .as("together, by -Dtest.faults.seed=%d: %s", seed, held)
                            .isFalse();
                }
                grants += held.size();
                if (!held.isEmpty() && random.nextInt(3) == 0) {
                    held.remove(random.nextInt(held.size())).lease().release();
                }
            }
            fleet.pass(Duration.ofSeconds(2));
            for (Asked one : asked) {
                granted(one).ifPresent(Lease::release);
            }
            held.forEach(one -> one.lease().release());
            fleet.assertNothingLeft();
        }
        return grants;
    }

    /** A lease may be over before its request returns. */
    private static Optional<Lease> granted(Asked one) throws Exception {
        try {
            return one.answer().get();
        } catch (ExecutionException ex) {
            assertThat(ex).hasCauseInstanceOf(LockLostException.class);
            return Optional.empty();
        }
    }

    /** The number of the grant decides, and not its token: that of the run, whose other reader still holds the lock. */
    @Test
    void messageOfAGrantThatIsOverIsNotBelievedAlthoughItsRunGoesOn() throws Exception {
        Queue<Runnable> messages = new ConcurrentLinkedQueue<>();
        AtomicBoolean late = new AtomicBoolean(true);
        AtomicInteger started = new AtomicInteger();
        try (VirtualFleet fleet = new VirtualFleet(
                new VirtualMode(WaitStrategy.GRANT, 0, ReleaseMode.CONFIRMED),
                (store, timer) -> started.getAndIncrement() > 0
                        ? store
                        : LateMessages.of(store, message -> {
                            if (late.get()) {
                                messages.add(message);
                            } else {
                                message.run();
                            }
                        }))) {
            LockTemplate process = fleet.start(builder -> builder.recheck(Duration.ofMillis(80)));
            LockTemplate other = fleet.start();
            Lease first = other.acquire(WRITE);
            CompletableFuture<Lease> reader = fleet.begin(
                    () -> process.acquire(WRITE.mode(LockMode.SHARED).expire(LEASE)));
            fleet.awaitWaiting("k.a", 1);
            CompletableFuture<Lease> lasting = fleet.begin(() -> other.acquire(WRITE.mode(LockMode.SHARED)));
            fleet.awaitWaiting("k.a", 2);
            assertThat(first.release()).isTrue();
            fleet.until(fleet.moment(), () -> messages.size() == 1 && lasting.isDone());
            CompletableFuture<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
            // the reader does not know of its grant, whose lease ends, and asks again
            fleet.until(Duration.ofSeconds(2), () -> other.inspect(WRITE).waiting() == 2);
            assertThat(reader).isNotDone();
            late.set(false);
            assertThat(lasting.get().release()).isTrue();
            fleet.until(fleet.moment(), writer::isDone);
            messages.remove().run();
            fleet.pass(Duration.ofMillis(5));
            assertThat(writer.get().isHeld()).isTrue();
            assertThat(reader).as("while a writer holds the lock").isNotDone();
            assertThat(writer.get().release()).isTrue();
            assertThat(fleet.get(reader).release()).isTrue();
            fleet.assertNothingLeft();
        }
    }

    @Test
    void writerAmongAHundredLoopingReadersIsGrantedWithinTheLeasesThatRanWhenItCame() throws Exception {
        Random random = new Random(seed);
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger granted = new AtomicInteger();
        try (VirtualFleet fleet = new VirtualFleet(new VirtualMode(WaitStrategy.GRANT, 32, ReleaseMode.CONFIRMED))) {
            List<LockTemplate> processes = List.of(fleet.start(), fleet.start(), fleet.start(), fleet.start());
            List<CompletableFuture<Object>> loops = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                LockTemplate process = processes.get(i % processes.size());
                LockRequest read = WRITE.mode(LockMode.SHARED)
                        .waitUnbounded()
                        .expire(Duration.ofMillis(500 + random.nextInt(2_000)));
                loops.add(fleet.begin(() -> {
                    while (!stopped.get()) {
                        Lease lease = process.acquire(read);
                        granted.incrementAndGet();
                        CompletableFuture<Object> over = new CompletableFuture<>();
                        lease.onLost(() -> over.complete(lease));
                        over.get();
                    }
                    return process;
                }));
            }
            for (int i = 0; i < 5; i++) {
                fleet.pass(Duration.ofMillis(700 + random.nextInt(2_000)));
                Duration longest = processes.get(0).inspect(WRITE).readers().stream()
                        .map(LockHolder::remaining)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
                long came = fleet.nanoTime();
                LockTemplate process = processes.get(i % processes.size());
                Lease writer = fleet.get(fleet.begin(() -> process.acquire(WRITE.waitUnbounded())));
                assertThat(fleet.since(came))
                        .as("the leases that ran, -Dtest.faults.seed=%d", seed)
                        .isLessThanOrEqualTo(longest.plusMillis(5));
                assertThat(writer.release()).isTrue();
            }
            assertThat(granted).hasValueGreaterThan(300);
            stopped.set(true);
            for (CompletableFuture<Object> loop : loops) {
                fleet.get(loop);
            }
            fleet.assertNothingLeft();
        }
    }
}
