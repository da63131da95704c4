package dev.baton.lock.board;

import dev.baton.lock.LockListener;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Five minutes of past traffic, for the charts. */
final class PastTraffic {

    private static final LockListener.Request REQUEST =
            new LockListener.Request(1, "", List.of("account.a"), "account", "owner", "host:1/thread");

    private volatile long offset;

    /** Returns the system clock, or a past time while traffic is recorded. */
    TimeSource time() {
        return new TimeSource() {

            @Override
            public long nanoTime() {
                return System.nanoTime() + offset;
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
    }

    void happen(BoardHistory history) {
        RandomGenerator random = new java.util.Random(7);
        for (int second = 299; second > 0; second--) {
            offset = -TimeUnit.SECONDS.toNanos(second);
            double load = 1 + Math.sin(second / 35.0) + (second > 90 && second < 120 ? 2 : 0);
            int granted = (int) (20 * load + random.nextInt(10));
            for (int i = 0; i < granted; i++) {
                Duration waited = Duration.ofNanos((long) (Math.abs(random.nextGaussian()) * load * 40_000_000));
                history.granted(new LockListener.Granted(REQUEST, 1, waited, true, 1, null));
            }
            history.released(released(LockListener.HandOver.LOCAL, (int) (6 * load)));
            history.released(released(LockListener.HandOver.REMOTE, (int) (11 * load) + random.nextInt(4)));
        }
        offset = 0;
    }

    static LockListener.Released released(LockListener.HandOver to, int times) {
        return new LockListener.Released(REQUEST, 1, Duration.ofMillis(5), Collections.nCopies(times, to));
    }
}
