package dev.baton.lock.time;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * Overview. A timer of its own for each deadline wakes the timer's thread whenever there is no earlier one: for each command
 * that is answered at once, and for each lease that is given back at once. So those that are far away stand together in a
 * slot, and only the slot has a timer, which stays when the slot becomes empty, unless it is very far. It fires before any of them
 * is due; those that are left get an exact timer then, or another slot if their time has become later.
 *
 *    add --far--> slot --its timer--> looked at again --near--> exact timer --> passed
 *
 * Who adds to a slot looks whether it is still there afterwards, and who fires takes the slot away before it looks at who is
 * in it, as does the one that takes an empty slot away; whoever takes a deadline out of the slot's set, which only one can, goes on
 * with it.
 */
/**
 * Deadlines most of which are never reached, on one timer: beginning or ending one wakes no thread. Exact for those that
 * are. Thread-safe.
 */
public final class Deadlines {

    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A slot that becomes empty later than this before it fires goes with its timer: it would stay for longer than it is worth. */
    private static final long FAR_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Slots are this part of a wait wide, or up to twice as narrow: so there are only some hundreds of them. */
    private static final int PART = 6;

    /** Odd, so that multiplying by it loses nothing; 2 to the 64th, divided by the golden ratio. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** What runs tasks when they are due; null: it has stopped, and nobody is to be told of anything any more. */
    @FunctionalInterface
    public interface Timer {
        @Nullable
        ScheduledFuture<?> schedule(Runnable task, long delayNanos);
    }

    /** What is to happen at a time, which may become later meanwhile. */
    public interface Deadline {

        /** When it is due, by the clock of the deadlines. */
        long at();

        /**
         * It was reached. Called on the timer's thread, and once; perhaps a little late, and early only if the timer rejects
         * new tasks by then.
         */
        void passed();
    }

    /** By the key of the time at which their timer fires. */
    private final ConcurrentHashMap<Long, Slot> slots = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;
    private final Timer timer;

    /**
     * Creates it without any.
     *
     * @param nanoTime a monotonic clock
     */
    public Deadlines(LongSupplier nanoTime, Timer timer) {
        this.nanoTime = nanoTime;
        this.timer = timer;
    }

    /** Watches one until it is reached or the watch is cancelled. Fails as the timer does. */
    public Watch watch(Deadline deadline) {
        Watch watch = new Watch(deadline);
        watch.begin();
        return watch;
    }

    /** Slots in which nothing is left: of the timer's tasks, those for nothing. */
    public int emptySlots() {
        return (int)
                slots.values().stream().filter(slot -> slot.watches.isEmpty()).count();
    }

    private Slot slot(long firesAt, long now) {
        Slot there = slots.get(key(firesAt));
        // nearly always; and looking locks nothing
        if (there != null) {
            return there;
        }
        return slots.computeIfAbsent(
                key(firesAt), same -> new Slot(firesAt, timer.schedule(() -> fire(firesAt), firesAt - now)));
    }

    /**
     * One for each time, and the other way round. The times are multiples of a power of two, nearly all of which a map would keep in
     * one place and search one by one.
     */
    private static long key(long firesAt) {
        return firesAt * SPREAD;
    }

    private void fire(long firesAt) {
        Slot due = slots.remove(key(firesAt));
        if (due != null) {
            due.goOn();
        }
    }

    /** Of a slot that has just lost one of its deadlines. */
    private void dropIfFarAndEmpty(Slot slot) {
        if (slot.watches.isEmpty()
                && slot.firesAt - nanoTime.getAsLong() > FAR_NANOS
                && slots.remove(key(slot.firesAt), slot)) {
            slot.cancel();
            // one may have been added meanwhile
            slot.goOn();
        }
    }

    private static void goOn(Watch watch) {
        try {
            watch.begin();
        } catch (RejectedExecutionException ex) {
            // what the timer had when it stopped still runs, but nothing new: now, or it would never be told
            watch.reached();
        }
    }

    /** Deadlines that are far away, and close to each other. */
    private static final class Slot {

        final long firesAt;
        final Set<Watch> watches = ConcurrentHashMap.newKeySet();
        /** Null: it has stopped. */
        private final @Nullable ScheduledFuture<?> timer;

        Slot(long firesAt, @Nullable ScheduledFuture<?> timer) {
            this.firesAt = firesAt;
            this.timer = timer;
        }

        void goOn() {
            for (Watch watch : List.copyOf(watches)) {
                if (watches.remove(watch)) {
                    Deadlines.goOn(watch);
                }
            }
        }

        void cancel() {
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }

    /** One deadline that is watched. */
    public final class Watch {

        private final Deadline deadline;
        private volatile boolean cancelled;
        private volatile @Nullable Slot slot;
        private volatile @Nullable ScheduledFuture<?> exact;

        private Watch(Deadline deadline) {
            this.deadline = deadline;
        }

        /** Ends it; it may be about to be reached all the same. */
        public void cancel() {
            cancelled = true;
            Slot known = slot;
            if (known != null && known.watches.remove(this)) {
                dropIfFarAndEmpty(known);
            }
            ScheduledFuture<?> task = exact;
            if (task != null) {
                task.cancel(false);
            }
        }

        private void begin() {
            long now = nanoTime.getAsLong();
            long at = deadline.at();
            if (at - now < NEAR_NANOS) {
                exactly(at - now);
                return;
            }
            long width = Long.highestOneBit(at - now) >> PART;
            // always before the deadline, and not far
            long firesAt = Math.floorDiv(at, width) * width - width;
            Slot stands = slot(firesAt, now);
            slot = stands;
            stands.watches.add(this);
            if (slots.get(key(firesAt)) != stands && stands.watches.remove(this)) {
                exactly(at - now);
            } else if (cancelled && stands.watches.remove(this)) {
                dropIfFarAndEmpty(stands);
            }
        }

        private void exactly(long delayNanos) {
            exact = timer.schedule(this::reached, delayNanos);
            if (cancelled) {
                cancel();
            }
        }

        private void reached() {
            if (!cancelled) {
                deadline.passed();
            }
        }
    }
}
