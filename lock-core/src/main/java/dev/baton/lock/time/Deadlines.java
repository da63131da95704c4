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
 * Overview. A separate timer per deadline would wake the timer's thread whenever no deadline is earlier. That would
 * happen for each command that is answered at once, and for each lease that is released at once. Distant deadlines
 * therefore share a slot, and only the slot has a timer. This timer stays when the slot becomes empty, unless it fires
 * in the distant future. The timer fires before any deadline of the slot is due. The remaining deadlines then get an
 * exact timer, or another slot if they are still far away.
 *
 *    add --far--> slot --its timer--> checked again --near--> exact timer --> passed
 *
 * A thread that adds a deadline to a slot checks afterwards whether the slot is still in the map. A thread that fires a
 * slot, or drops an empty slot, removes the slot from the map before it reads the slot's deadlines. Only one thread can
 * remove a deadline from the slot's set, and that thread continues with the deadline.
 */
/**
 * Watches deadlines, most of which are never reached, on one timer. Adding or cancelling a deadline wakes no thread.
 * Deadlines that are reached get an exact timer. Thread-safe.
 */
public final class Deadlines {

    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A slot that becomes empty is dropped if its timer fires later than this: the timer would stay longer than useful.
     */
    private static final long FAR_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * A slot is as wide as the wait divided by 2 to this power, or down to half as wide: there are only some hundreds.
     */
    private static final int PART = 6;

    /**
     * 2 to the 64th, divided by the golden ratio. The factor is odd, so that multiplying by it loses no information.
     */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /**
     * Runs tasks when they are due. Returns {@code null} if it has stopped and no deadline is to be notified any
     * longer.
     */
    @FunctionalInterface
    public interface Timer {
        @Nullable
        ScheduledFuture<?> schedule(Runnable task, long delayNanos);
    }

    /** An action and the time at which it is due. The time may move to later while the deadline is watched. */
    public interface Deadline {

        /** Returns when the deadline is due, by the clock of the {@link Deadlines}. */
        long at();

        /**
         * Runs when the deadline is reached: once, on the timer's thread. The call may come a little late. The call
         * comes early only if the timer rejects new tasks by then.
         */
        void passed();
    }

    /** The slots by the key of the time at which their timer fires. */
    private final ConcurrentHashMap<Long, Slot> slots = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;
    private final Timer timer;

    /**
     * Creates an instance without deadlines.
     *
     * @param nanoTime a monotonic clock
     */
    public Deadlines(LongSupplier nanoTime, Timer timer) {
        this.nanoTime = nanoTime;
        this.timer = timer;
    }

    /** Watches a deadline until it is reached or the watch is cancelled. Throws what the timer throws. */
    public Watch watch(Deadline deadline) {
        Watch watch = new Watch(deadline);
        watch.begin();
        return watch;
    }

    /** Returns the number of empty slots, each of which still occupies a task of the timer. */
    public int emptySlots() {
        return (int)
                slots.values().stream().filter(slot -> slot.watches.isEmpty()).count();
    }

    private Slot slot(Long key, long firesAt, long now) {
        Slot there = slots.get(key);
        // the slot nearly always exists, and this lookup takes no lock
        if (there != null) {
            return there;
        }
        return slots.computeIfAbsent(key, same -> new Slot(firesAt, timer.schedule(() -> fire(key), firesAt - now)));
    }

    /**
     * Returns the key of a time; the mapping is one-to-one. The times are multiples of a power of two. Without the
     * factor, the map would keep nearly all of them in one bucket and search them one by one.
     */
    private static Long key(long firesAt) {
        return firesAt * SPREAD;
    }

    private void fire(Long key) {
        Slot due = slots.remove(key);
        if (due != null) {
            due.goOn();
        }
    }

    /**
     * Drops a slot that has just lost one of its deadlines, if the slot is now empty and fires in the distant future.
     */
    private void dropIfFarAndEmpty(Slot slot) {
        if (slot.watches.isEmpty()
                && slot.firesAt - nanoTime.getAsLong() > FAR_NANOS
                && slots.remove(key(slot.firesAt), slot)) {
            slot.cancel();
            // another thread may have added a deadline meanwhile
            slot.goOn();
        }
    }

    private static void goOn(Watch watch) {
        try {
            watch.begin();
        } catch (RejectedExecutionException ex) {
            // a stopped timer still runs its earlier tasks, but rejects new ones: notify now, or the deadline is never
            // notified
            watch.reached();
        }
    }

    /** A group of distant deadlines that are close to each other. */
    private static final class Slot {

        final long firesAt;
        final Set<Watch> watches = ConcurrentHashMap.newKeySet();
        /** The timer of the slot, or {@code null} if the timer has stopped. */
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

    /** A watched deadline. */
    public final class Watch {

        private final Deadline deadline;
        private volatile boolean cancelled;
        private volatile @Nullable Slot slot;
        private volatile @Nullable ScheduledFuture<?> exact;

        private Watch(Deadline deadline) {
            this.deadline = deadline;
        }

        /** Stops watching. A call of {@link Deadline#passed()} that is about to begin may still happen. */
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
            // always before the deadline, by one to two widths
            long firesAt = Math.floorDiv(at, width) * width - width;
            Long key = key(firesAt);
            Slot stands = slot(key, firesAt, now);
            slot = stands;
            stands.watches.add(this);
            if (slots.get(key) != stands && stands.watches.remove(this)) {
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
