package dev.baton.lock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlinesTests {

    private static final long MILLI = 1_000_000;

    /** Just before the wrap-around of the counter, where wrong comparisons fail. */
    private final ManualTimer timer = new ManualTimer(Long.MAX_VALUE - 30 * MILLI);

    private final Deadlines deadlines = new Deadlines(() -> timer.now, timer);
    private final List<Long> passed = new ArrayList<>();

    @Test
    void thousandCancelledDeadlinesShareAFewTimerTasks() {
        for (int i = 0; i < 1_000; i++) {
            deadlines.watch(new At(timer.now + 2_000 * MILLI)).cancel();
            timer.advance(MILLI / 100);
        }
        assertThat(timer.tasks.size()).isBetween(1, 3);
        assertThat(deadlines.emptySlots()).isEqualTo(timer.tasks.size());
    }

    @Test
    void cancelledFarDeadlineLeavesNothing() {
        Deadlines.Watch watch = deadlines.watch(new At(timer.now + 3_600_000 * MILLI));
        long at = timer.now + 7_200_000 * MILLI;
        deadlines.watch(new At(at)).cancel();
        deadlines.watch(new At(at));
        watch.cancel();

        assertThat(deadlines.emptySlots()).isZero();
        assertThat(timer.tasks.stream().filter(task -> !task.isCancelled())).hasSize(1);
        timer.advance(7_200_000 * MILLI);
        assertThat(passed).containsExactly(at);
    }

    @Test
    void farDeadlinePassesNeitherEarlyNorLate() {
        for (long millis : new long[] {100, 101, 250, 2_000, 29_999, 3_600_000}) {
            passed.clear();
            long at = timer.now + millis * MILLI + 17;
            deadlines.watch(new At(at));
            timer.advance(Duration.ofHours(2).toNanos());
            assertThat(passed).as("%d ms", millis).containsExactly(at);
        }
        assertThat(timer.tasks).isEmpty();
        assertThat(deadlines.emptySlots()).isZero();
    }

    @Test
    void nearDeadlineHasATaskOfItsOwn() {
        Deadlines.Watch watch = deadlines.watch(new At(timer.now + 99 * MILLI));
        assertThat(timer.tasks).hasSize(1);
        watch.cancel();
        assertThat(timer.tasks.peek().isCancelled()).isTrue();
    }

    @Test
    void overdueDeadlinePassesAtOnce() {
        deadlines.watch(new At(timer.now - 1));
        timer.advance(0);
        assertThat(passed).hasSize(1);
    }

    @Test
    void postponedDeadlinePassesAtItsNewTime() {
        At lease = new At(timer.now + 1_000 * MILLI);
        deadlines.watch(lease);
        timer.advance(900 * MILLI);
        lease.at += 5_000 * MILLI;
        timer.advance(5_000 * MILLI);
        assertThat(passed).isEmpty();
        timer.advance(200 * MILLI);
        assertThat(passed).containsExactly(lease.at);
    }

    @Test
    void cancelledDeadlineNeverPassesAndTheOthersOfItsSlotDo() {
        Deadlines.Watch early = deadlines.watch(new At(timer.now + 2_000 * MILLI));
        Deadlines.Watch late = deadlines.watch(new At(timer.now + 2_000 * MILLI));
        long at = timer.now + 2_000 * MILLI;
        deadlines.watch(new At(at));
        early.cancel();
        // the slot has fired, and each deadline has a task of its own
        timer.advance(1_999 * MILLI);
        late.cancel();
        timer.advance(MILLI);
        assertThat(passed).containsExactly(at);
    }

    @Test
    void deadlineLeftAfterTheTimerStopsPassesWithItsSlot() {
        long at = timer.now + 2_000 * MILLI;
        deadlines.watch(new At(at));
        timer.stopped = true;
        timer.advance(2_000 * MILLI);
        assertThat(passed).hasSize(1).allMatch(then -> then - at <= 0 && at - then < 100 * MILLI);
    }

    @Test
    void noDeadlineIsLostWhileSlotsFire() throws Exception {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
        try {
            Deadlines real =
                    new Deadlines(System::nanoTime, (task, delay) -> clock.schedule(task, delay, TimeUnit.NANOSECONDS));
            int each = 20_000;
            CountDownLatch left = new CountDownLatch(2 * each);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(new Thread(() -> {
                    for (int j = 0; j < each; j++) {
                        long at = System.nanoTime() + 100 * MILLI + 50;
                        real.watch(new Deadlines.Deadline() {
                            @Override
                            public long at() {
                                return at;
                            }

                            @Override
                            public void passed() {
                                left.countDown();
                            }
                        });
                        real.watch(new At(at)).cancel();
                    }
                }));
            }
            threads.forEach(Thread::start);
            assertThat(left.await(30, TimeUnit.SECONDS)).as("all pass").isTrue();
            assertThat(passed).isEmpty();
        } finally {
            clock.shutdownNow();
        }
    }

    private final class At implements Deadlines.Deadline {

        private long at;

        At(long at) {
            this.at = at;
        }

        @Override
        public long at() {
            return at;
        }

        @Override
        public void passed() {
            passed.add(timer.now);
        }
    }

    /** Runs its tasks in the thread that advances the time. */
    private static final class ManualTimer implements Deadlines.Timer {

        private final PriorityQueue<Task> tasks = new PriorityQueue<>();
        private long now;
        private boolean stopped;

        ManualTimer(long now) {
            this.now = now;
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
            if (stopped) {
                throw new RejectedExecutionException("stopped");
            }
            Task scheduled = new Task(task, now + Math.max(0, delayNanos));
            tasks.add(scheduled);
            return scheduled;
        }

        void advance(long nanos) {
            long until = now + nanos;
            while (!tasks.isEmpty() && tasks.peek().at - until <= 0) {
                Task next = tasks.remove();
                now = next.at;
                next.run();
            }
            now = until;
        }

        private static final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {

            private final long at;

            Task(Runnable task, long at) {
                super(task, null);
                this.at = at;
            }

            @Override
            public long getDelay(TimeUnit unit) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int compareTo(Delayed other) {
                return Long.signum(at - ((Task) other).at);
            }
        }
    }
}
