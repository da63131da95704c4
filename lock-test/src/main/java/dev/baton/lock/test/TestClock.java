package dev.baton.lock.test;

import dev.baton.lock.time.EngineTimer;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that a test moves: {@link #advance} lets whatever is due in that time happen, in its order, and returns when it has happened.
 * Templates and in-memory stores that share one live in the same time.
 *
 * <p>Thread-safe. What threads of the test do when they are woken is not awaited.
 */
public final class TestClock implements TimeSource {

    private static final long BOUND_SECONDS = 10;

    private final boolean ticking;
    private final long startWallMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private final AtomicLong offset = new AtomicLong();
    private final List<TestTimer> timers = new CopyOnWriteArrayList<>();
    /** Tasks ever given to a timer: whether there are new ones. */
    private final AtomicLong scheduled = new AtomicLong();

    private final TestTimer waits;

    private TestClock(boolean ticking) {
        this.ticking = ticking;
        this.waits = newTimer("baton-test-waits");
    }

    /** A clock that goes as the machine's does, and can be advanced in addition. */
    public static TestClock ticking() {
        return new TestClock(true);
    }

    /** A clock that stands still unless it is advanced: a wait then ends by a grant, or when it is advanced, never by itself. */
    public static TestClock standing() {
        return new TestClock(false);
    }

    @Override
    public long nanoTime() {
        return startNanos + elapsedNanos();
    }

    @Override
    public long wallMillis() {
        return startWallMillis + TimeUnit.NANOSECONDS.toMillis(elapsedNanos());
    }

    /** Microseconds since 1970, as Redis's {@code TIME}. */
    long micros() {
        return TimeUnit.MILLISECONDS.toMicros(startWallMillis) + TimeUnit.NANOSECONDS.toMicros(elapsedNanos());
    }

    private long elapsedNanos() {
        return offset.get() + (ticking ? System.nanoTime() - startNanos : 0);
    }

    /**
     * Lets time go by, from one due task to the next, each with its effects before the next one is due: leases are renewed, end,
     * and are taken over by those who wait. Not by a task of a lock engine itself.
     *
     * @param duration not negative
     * @throws IllegalStateException if a task takes longer than 10 s of the machine's time
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "time does not go back (" + duration + "); advance by a positive duration");
        }
        long target = nanoTime() + duration.toNanos();
        settle();
        OptionalLong next = nextDue();
        while (next.isPresent() && next.getAsLong() - target <= 0) {
            moveTo(next.getAsLong());
            settle();
            next = nextDue();
        }
        moveTo(target);
        settle();
    }

    /** Returns when whatever is due by now has been done. */
    public void settle() {
        long before;
        do {
            before = scheduled.get();
            timers.forEach(timer -> timer.awaitIdle(BOUND_SECONDS));
        } while (scheduled.get() != before);
    }

    private OptionalLong nextDue() {
        long now = nanoTime();
        return timers.stream()
                .map(TestTimer::nextDue)
                .filter(OptionalLong::isPresent)
                .mapToLong(due -> due.getAsLong() - now)
                .min()
                .stream()
                .map(delay -> now + delay)
                .findFirst();
    }

    private void moveTo(long nanos) {
        long ahead = nanos - nanoTime();
        if (ahead > 0) {
            offset.addAndGet(ahead);
        }
        timers.forEach(TestTimer::wake);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!future.isDone() && nanos > 0) {
            CompletableFuture<Boolean> over = new CompletableFuture<>();
            ScheduledFuture<?> end = waits.schedule(() -> over.complete(true), nanos);
            try {
                CompletableFuture.anyOf(future.handle((value, failure) -> true), over)
                        .get();
            } finally {
                end.cancel(false);
            }
        }
        return future.get(0, TimeUnit.NANOSECONDS);
    }

    @Override
    public TestTimer newTimer(String name) {
        TestTimer timer = new TestTimer(this, name);
        timers.add(timer);
        return timer;
    }

    boolean isTicking() {
        return ticking;
    }

    void scheduled() {
        scheduled.incrementAndGet();
    }

    void forget(EngineTimer timer) {
        timers.remove(timer);
    }
}
