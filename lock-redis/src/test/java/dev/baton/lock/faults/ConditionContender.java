package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LeaseCondition.Woken;
import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitTime;
import dev.baton.lock.faults.HoldHistory.Hold;
import dev.baton.lock.faults.HoldHistory.Kind;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Awaits a condition under some of its locks, and signals it under others. */
record ConditionContender(BatonContender contender, HoldHistory history, Waits waits) implements Contender {

    private static final String CONDITION = "changed";

    /** What the waits of all processes have seen. */
    static final class Waits {

        private final AtomicLong signals = new AtomicLong();
        private final AtomicLong signalled = new AtomicLong();
        private final Queue<String> late = new ConcurrentLinkedQueue<>();

        long signals() {
            return signals.get();
        }

        long signalled() {
            return signalled.get();
        }

        /** Returns the waits that took longer than their callers had said. */
        Queue<String> late() {
            return late;
        }
    }

    @Override
    public @Nullable HeldLock acquire(String name, Duration wait, LeaseKind kind) {
        LockRequest asked = LockRequest.of(name).waitTime(wait);
        LockRequest request = kind == LeaseKind.RENEWED ? asked : asked.expire(FaultRun.LIMITED);
        try {
            Lease lease = contender.locks().acquire(request);
            Hold hold = history.begin(name, Kind.WRITER, 1, lease, null);
            hold.remaining();
            int what = ThreadLocalRandom.current().nextInt(5);
            if (what < 2) {
                return await(name, hold);
            } else if (what < 4) {
                signal(hold, what == 2);
            }
            return new PermitContender.Held(hold);
        } catch (LockException refused) {
            return null;
        }
    }

    /** Returns the hold after the wait, or {@code null} if the lock did not come back. */
    private @Nullable HeldLock await(String name, Hold before) {
        Duration time = Duration.ofMillis(ThreadLocalRandom.current().nextInt(1_000));
        Duration back = Duration.ofMillis(1_500);
        LeaseCondition condition = before.lease().condition(CONDITION).waitTime(WaitTime.of(back));
        before.ends();
        long began = System.nanoTime();
        try {
            Woken woken = condition.await(time);
            if (woken.inTime()) {
                waits.signalled.incrementAndGet();
            }
            return new PermitContender.Held(history.begin(name, Kind.WRITER, 1, woken.lease(), null));
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            Lease present = before.lease().present();
            // the same lease if the interrupt came before the wait
            Hold origin = present == before.lease() ? before : null;
            return new PermitContender.Held(history.begin(name, Kind.WRITER, 1, present, origin));
        } catch (IllegalMonitorStateException notHeld) {
            before.lease().release();
            return null;
        } finally {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            Duration bound = time.plus(back).plus(FaultRun.COMMAND_TIMEOUT.multipliedBy(4));
            if (took.compareTo(bound.plusSeconds(1)) > 0) {
                waits.late.add(time + " and " + back + " took " + took);
            }
        }
    }

    private void signal(Hold hold, boolean all) {
        LeaseCondition condition = hold.lease().condition(CONDITION);
        try {
            if (all) {
                condition.signalAll();
            } else {
                condition.signal();
            }
            waits.signals.incrementAndGet();
        } catch (LockException | IllegalMonitorStateException unknown) {
            // the store did not answer, or the lease is over: the hold goes on as far as its lease says
        }
    }

    @Override
    public void close() {
        contender.close();
    }
}
