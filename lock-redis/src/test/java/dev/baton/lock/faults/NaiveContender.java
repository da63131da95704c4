package dev.baton.lock.faults;

import dev.baton.lock.harness.RespConnection;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A naive lock: SET NX with an expiry, and a DEL that may delete the lock of another holder. */
record NaiveContender(String host, int port) implements Contender {

    private static final Duration REPLY_BOUND = Duration.ofMillis(500);

    @Override
    public @Nullable HeldLock acquire(String name, Duration wait, LeaseKind kind) {
        Duration lease = kind == LeaseKind.RENEWED ? FaultRun.LEASE : FaultRun.LIMITED;
        long deadline = System.nanoTime() + wait.toNanos();
        do {
            long sentAt = System.nanoTime();
            if (command("SET", "naive:" + name, "held", "NX", "PX", "" + lease.toMillis()) != null
                    && command("INCR", "naive:token") instanceof Long token) {
                return new NaiveLock(this, name, token, sentAt + lease.toNanos());
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        } while (System.nanoTime() - deadline < 0 && !Thread.currentThread().isInterrupted());
        return null;
    }

    /**
     * Acquires the locks in a fixed order, and releases all if one is not granted, which is the best that this lock can
     * do.
     */
    @Override
    public @Nullable HeldLock acquire(Wish wish) {
        List<HeldLock> held = new ArrayList<>();
        for (String name : wish.names().stream().sorted().toList()) {
            HeldLock one = acquire(name, wish.waitTime(), wish.lease());
            if (one == null) {
                held.forEach(HeldLock::release);
                return null;
            }
            held.add(one);
        }
        return held.size() == 1 ? held.get(0) : new NaiveLocks(held);
    }

    private @Nullable Object command(String... args) {
        try (RespConnection connection = RespConnection.open(host, port, REPLY_BOUND)) {
            return connection.command(args);
        } catch (UncheckedIOException fault) {
            return null;
        }
    }

    @Override
    public void close() {
        // each command has its own connection
    }

    private record NaiveLock(NaiveContender process, String name, long token, long end) implements HeldLock {

        @Override
        public Duration remaining() {
            long left = end - System.nanoTime();
            return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
        }

        @Override
        public void release() {
            process.command("DEL", "naive:" + name);
        }
    }

    private record NaiveLocks(List<HeldLock> each) implements HeldLock {

        @Override
        public long token() {
            return each.get(0).token();
        }

        @Override
        public Duration remaining() {
            return each.stream()
                    .map(HeldLock::remaining)
                    .min(Duration::compareTo)
                    .orElseThrow();
        }

        @Override
        public void release() {
            each.forEach(HeldLock::release);
        }
    }
}
