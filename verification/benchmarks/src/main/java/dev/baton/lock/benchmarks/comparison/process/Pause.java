package dev.baton.lock.benchmarks.comparison.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Time that passes because the scenario says so. */
public final class Pause {

    private Pause() {}

    /** Lets so much pass. */
    public static void of(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }
}
