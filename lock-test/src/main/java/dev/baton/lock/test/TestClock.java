package dev.baton.lock.test;

import dev.baton.lock.time.EngineTimer;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A clock that a test controls. {@link #advance} runs all tasks that become due, in order, and returns when they are
 * done. Templates and in-memory stores that share a clock have the same time.
 *
 * <p>Thread-safe. The clock does not wait for the actions of test threads that are woken.
 */
public final class TestClock implements TimeSource {

    private static final long BOUND_SECONDS = 10;

    private final boolean ticking;
    private final long startWallMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private final AtomicLong offset = new AtomicLong();
    private final List<TestTimer> timers = new CopyOnWriteArrayList<>();
    /** Number of tasks ever scheduled on a timer; a change shows that there are new tasks. */
    private final AtomicLong scheduled = new AtomicLong();

    /** What the threads in {@link #await} wait for. */
    private final ConcurrentHashMap<Thread, CompletableFuture<?>> awaited = new ConcurrentHashMap<>();

    private final TestTimer waits;

    private TestClock(boolean ticking) {
        this.ticking = ticking;
        this.waits = newTimer("baton-test-waits");
    }

    /** Creates a clock that follows the machine's clock and can be advanced in addition. */
    public static TestClock ticking() {
        return new TestClock(true);
    }

    /**
     * Creates a clock that stands still unless it is advanced. A wait then ends by a grant or when the clock is
     * advanced, never on its own.
     */
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

    /** Returns the microseconds since 1970, as {@code TIME} of Redis does. */
    long micros() {
        return TimeUnit.MILLISECONDS.toMicros(startWallMillis) + TimeUnit.NANOSECONDS.toMicros(elapsedNanos());
    }

    private long elapsedNanos() {
        return offset.get() + (ticking ? System.nanoTime() - startNanos : 0);
    }

    /**
     * Advances the time from one due task to the next. Each task takes effect before the next task is due: leases are
     * renewed or end, and waiters acquire the locks. Must not be called from a task of a lock engine.
     *
     * @param duration the duration, not negative
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

    /** Returns when all tasks due by now are done. */
    public void settle() {
        long before;
        do {
            before = scheduled.get();
            timers.forEach(timer -> timer.awaitIdle(BOUND_SECONDS));
        } while (scheduled.get() != before);
    }

    /** Returns what a thread waits for by this clock, or {@code null} if it does not wait. */
    @Nullable
    CompletableFuture<?> awaitedBy(Thread thread) {
        return awaited.get(thread);
    }

    /** Returns when the next task is due, by {@link #nanoTime()}; empty if there is none. */
    OptionalLong nextDue() {
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
            CompletableFuture<Object> either = CompletableFuture.anyOf(future.handle((value, failure) -> true), over);
            awaited.put(Thread.currentThread(), either);
            ScheduledFuture<?> end = waits.schedule(() -> over.complete(true), nanos);
            try {
                either.get();
            } finally {
                end.cancel(false);
                awaited.remove(Thread.currentThread());
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
