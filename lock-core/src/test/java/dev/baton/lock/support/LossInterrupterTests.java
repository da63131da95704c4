package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.time.KeptInterrupt;
import dev.baton.lock.time.Uninterruptibly;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LossInterrupterTests {

    private static final Lease LEASE = new FakeLockOperations(new Journal()).acquire(LockRequest.of("x"));

    private final ExecutorService elsewhere = Executors.newSingleThreadExecutor();
    private final ReentrantHold hold = hold();
    private final ReentrantHold inner = hold();

    @AfterEach
    void stop() {
        elsewhere.shutdownNow();
        assertThat(Thread.interrupted()).as("a flag is left behind").isFalse();
    }

    @Test
    void lossInterruptsTheWork() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> work(hold, () -> {
                    loseElsewhere(hold);
                    new CountDownLatch(1).await(5, TimeUnit.SECONDS);
                }));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void unconsumedInterruptIsClearedAfterTheWork() throws Exception {
        work(hold, () -> {
            loseElsewhere(hold);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void workUnderALostLeaseStartsInterrupted() throws Exception {
        lose(hold);
        work(hold, () -> assertThat(Thread.interrupted()).isTrue());
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lossAfterTheWorkInterruptsNoThread() throws Exception {
        work(hold, () -> {});
        loseElsewhere(hold);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lossAfterFailedWorkInterruptsNoThread() throws Exception {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> work(hold, () -> {
                    throw new IllegalStateException("the work's own");
                }));
        loseElsewhere(hold);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void interruptByAnotherThreadIsKept() throws Exception {
        work(hold, () -> {
            Thread.currentThread().interrupt();
            loseElsewhere(hold);
        });
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptOfOtherCodeStaysIfTheLossComesInAWaitThatKeepsIt() throws Exception {
        work(hold, () -> {
            Thread.currentThread().interrupt();
            waitUninterruptibly(() -> loseElsewhere(hold));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        assertThat(Thread.interrupted()).as("after the work").isTrue();
    }

    @Test
    void interruptOfALossThatAWaitKeepsEndsWithTheWork() throws Exception {
        work(hold, () -> {
            waitUninterruptibly(() -> loseElsewhere(hold));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void interruptOfTheOuterLossThatAWaitKeepsIsSharedWithTheInner() throws Exception {
        work(hold, () -> {
            work(inner, () -> {
                loseElsewhere(hold);
                waitUninterruptibly(() -> loseElsewhere(inner));
            });
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void interruptOfOtherCodeStaysIfTheLossComesRightAfterItWasTaken() throws Exception {
        work(hold, () -> {
            // what a wait does: the exception has cleared the flag of other code, and then the loss sets it
            loseElsewhere(hold);
            KeptInterrupt kept = new KeptInterrupt();
            kept.take();
            kept.giveBack();
        });
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Waits for an answer that comes after the event, which happens while the thread waits. */
    private void waitUninterruptibly(Event event) throws Exception {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread waiting = Thread.currentThread();
        Thread other = new Thread(() -> {
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            try {
                event.happen();
                answer.complete(true);
            } catch (Exception ex) {
                answer.completeExceptionally(ex);
            }
        });
        other.start();
        assertThat(Uninterruptibly.await(answer, TimeUnit.SECONDS.toNanos(10))).isTrue();
        boolean interrupted = Thread.interrupted();
        other.join();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Event {
        void happen() throws Exception;
    }

    @Test
    void interruptByAnotherThreadIsKeptWithoutALoss() throws Exception {
        work(hold, () -> Thread.currentThread().interrupt());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void outerWorkIsInterruptedAfterTheInnerWork() throws Exception {
        work(hold, () -> {
            work(inner, () -> loseElsewhere(hold));
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the outer lock was lost during the inner work")
                    .isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lossOfTheInnerLockDoesNotInterruptTheOuterWork() throws Exception {
        work(hold, () -> {
            work(inner, () -> loseElsewhere(inner));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void lossOfTheInnerLockDoesNotHideALaterLossOfTheOuterLock() throws Exception {
        work(hold, () -> {
            work(inner, () -> {
                loseElsewhere(inner);
                loseElsewhere(hold);
                assertThat(Thread.interrupted()).as("one flag for both").isTrue();
            });
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the consumed interrupt was that of the inner lock")
                    .isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lossOfTheInnerLockDoesNotClearTheInterruptOfTheOuterLock() throws Exception {
        work(hold, () -> {
            work(inner, () -> {
                loseElsewhere(hold);
                loseElsewhere(inner);
            });
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the interrupt of the outer lock is not consumed yet")
                    .isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void consumedInterruptOfTheOuterLockIsNotRepeated() throws Exception {
        work(hold, () -> {
            work(inner, () -> {
                loseElsewhere(hold);
                loseElsewhere(inner);
                assertThat(Thread.interrupted()).isTrue();
            });
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    /** Repeated, because the order of the two notifications is random. */
    @RepeatedTest(30)
    void reentryIsInterruptedOnceTogetherWithTheOuterWork() throws Exception {
        work(hold, () -> {
            work(hold, () -> {
                loseElsewhere(hold);
                assertThat(Thread.interrupted()).isTrue();
            });
            assertThat(Thread.currentThread().isInterrupted()).as("once").isFalse();
        });
    }

    /** The loss is noticed before the end of the work, and its notification runs after the end. Repeated, as above. */
    @RepeatedTest(30)
    void lossNotifiedAfterTheWorkInterruptsNoThread() throws Exception {
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        hold.onLoss(() -> {
            underWay.countDown();
            try {
                goOn.await(5, TimeUnit.SECONDS);
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        });
        CountDownLatch done = new CountDownLatch(1);
        work(hold, () -> {
            elsewhere.execute(() -> {
                lose(hold);
                done.countDown();
            });
            long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (underWay.getCount() > 0 && System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
        });
        goOn.countDown();
        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lossAtTheEndOfTheWorkInterruptsBeforeTheEndOrNotAtAll() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        int interrupted = 0;
        for (int i = 0; i < 20_000; i++) {
            ReentrantHold one = hold();
            Future<?> loss = elsewhere.submit(() -> {
                start.await(5, TimeUnit.SECONDS);
                lose(one);
                return null;
            });
            start.await(5, TimeUnit.SECONDS);
            work(one, () -> {});
            boolean leaked = Thread.currentThread().isInterrupted();
            // an interrupt may also arrive after this check
            Thread.interrupted();
            loss.get(5, TimeUnit.SECONDS);
            leaked |= Thread.interrupted();
            interrupted += leaked ? 1 : 0;
        }
        assertThat(interrupted).as("interrupts after the work").isZero();
    }

    private void loseElsewhere(ReentrantHold lost) {
        // spins without reading the flag, because the flag is under test
        CountDownLatch noticed = new CountDownLatch(1);
        elsewhere.execute(() -> {
            lose(lost);
            noticed.countDown();
        });
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (noticed.getCount() > 0 && System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
        assertThat(noticed.getCount()).as("the loss is noticed within 5 s").isZero();
    }

    private static void lose(ReentrantHold lost) {
        lost.acquisition.loss().complete(null);
    }

    private static void work(ReentrantHold hold, Work work) throws Exception {
        LossInterrupter.<Boolean, Exception>callWith(hold, LEASE, lease -> {
            work.run();
            return true;
        });
    }

    private ReentrantHold hold() {
        Acquisition acquisition = TestEngine.acquisition(TestEngine.waits(Duration.ofMinutes(1)), 0);
        return new ReentrantHold(new ReentrantHold.Key("t7", acquisition.names()), acquisition);
    }

    private interface Work {
        void run() throws Exception;
    }
}
