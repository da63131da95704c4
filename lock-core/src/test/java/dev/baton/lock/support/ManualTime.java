package dev.baton.lock.support;

import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A time source that the test advances. The monotonic counter starts just before its wrap-around, where wrong
 * comparisons fail.
 */
public final class ManualTime implements TimeSource {

    public static final long START = Long.MAX_VALUE - 30_000_000;

    private final AtomicLong nanos = new AtomicLong(START);
    private final AtomicLong wallMillis = new AtomicLong(1_800_000_000_000L);

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return wallMillis.get();
    }

    /** Advances both clocks. */
    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
        wallMillis.addAndGet(duration.toMillis());
    }

    /** Advances the wall clock only, as when the machine slept or its clock was set. */
    public void advanceWall(Duration duration) {
        wallMillis.addAndGet(duration.toMillis());
    }
}
