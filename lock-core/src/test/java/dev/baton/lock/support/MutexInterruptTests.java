package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitTime;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests interrupts at each step of {@code java.util.concurrent.locks.Lock}, on a store that the test answers for. */
@SuppressWarnings("LockNotBeforeTry") // some tests do not release the lock on purpose
class MutexInterruptTests {

    private static final LockRequest REQUEST = LockRequest.of("x");

    private final FakeLockStore store = new FakeLockStore();
    private final LockTemplate template = LockTemplate.builder(store)
            .waitTime(WaitTime.of(Duration.ofMillis(20)))
            .shutdownAwait(Duration.ZERO)
            .commandTimeout(Duration.ofSeconds(5))
            .recheck(Duration.ofHours(1))
            .build();
    private final DistributedMutex mutex = template.mutex(REQUEST);

    @AfterEach
    void stop() {
        // not the stop of the template, which would wait for commands that these tests leave unanswered
        template.engine().executors().stop();
    }

    /** A way to acquire the mutex, and whether an interrupt ends it. */
    enum Way {
        LOCK(false) {
            @Override
            boolean take(DistributedMutex mutex) {
                mutex.lock();
                return true;
            }
        },
        LOCK_INTERRUPTIBLY(true) {
            @Override
            boolean take(DistributedMutex mutex) throws InterruptedException {
                mutex.lockInterruptibly();
                return true;
            }
        },
        TRY(false) {
            @Override
            boolean take(DistributedMutex mutex) {
                return mutex.tryLock();
            }
        },
        TRY_FOR_NO_TIME(true) {
            @Override
            boolean take(DistributedMutex mutex) throws InterruptedException {
                return mutex.tryLock(-1, TimeUnit.SECONDS);
            }
        },
        TRY_FOR_A_TIME(true) {
            @Override
            boolean take(DistributedMutex mutex) throws InterruptedException {
                return mutex.tryLock(1, TimeUnit.HOURS);
            }
        };

        final boolean interruptible;

        Way(boolean interruptible) {
            this.interruptible = interruptible;
        }

        abstract boolean take(DistributedMutex mutex) throws InterruptedException;
    }

    @ParameterizedTest
    @EnumSource
    void interruptBeforeTheAcquireIsSent(Way way) throws Exception {
        Caller caller = new Caller(way);
        caller.startInterrupted();
        if (!way.interruptible) {
            store.nextAcquire().answer(granted(7));
        }

        Outcome outcome = caller.outcome();
        if (way.interruptible) {
            assertThat(outcome.thrown()).isInstanceOf(InterruptedException.class);
            assertThat(outcome.flag()).isFalse();
            assertThat(outcome.holds()).isZero();
            assertThat(store.acquires)
                    .as("no acquire, even if the lock is free")
                    .isEmpty();
        } else {
            assertThat(outcome).isEqualTo(new Outcome(true, null, true, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void interruptBeforeTheAcquireIsAnswered(Way way) throws Exception {
        Caller caller = new Caller(way);
        caller.start();
        Sent<AcquireCommand, AcquireReply> acquire = store.nextAcquire();
        caller.interruptAndBeNoticed();
        if (way.interruptible) {
            assertInterrupted(caller.outcome());
            assertThat(store.nextEnd().command().id()).isEqualTo(id(acquire));
            acquire.answer(granted(7));
        } else {
            acquire.answer(granted(7));
            assertThat(caller.outcome()).isEqualTo(new Outcome(true, null, true, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK", "LOCK_INTERRUPTIBLY", "TRY_FOR_A_TIME"})
    void interruptWhileTheCallerWaits(Way way) throws Exception {
        Caller caller = new Caller(way);
        caller.start();
        Sent<AcquireCommand, AcquireReply> acquire = store.nextAcquire();
        acquire.answer(busy(6));
        caller.interruptAndBeNoticed();
        if (way.interruptible) {
            assertInterrupted(caller.outcome());
            store.nextEnd().answer(ended(Role.WAITER));
            assertThat(template.engine().openRequests()).isZero();
        } else {
            template.engine().inbox().granted(acquire.command().names(), id(acquire), 7);
            assertThat(caller.outcome()).isEqualTo(new Outcome(true, null, true, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TRY", "TRY_FOR_NO_TIME"})
    void tryOfABusyLockIsFalseAndNeverWaits(Way way) throws Exception {
        Caller caller = new Caller(way);
        caller.start();
        Sent<AcquireCommand, AcquireReply> acquire = store.nextAcquire();
        assertThat(acquire.command().requests().get(0).kind()).isEqualTo(Kind.TRY);
        acquire.answer(busy(6));

        assertThat(caller.outcome()).isEqualTo(new Outcome(false, null, false, 0));
    }

    @Test
    void lockOutlivesTheDefaultWaitTime() throws Exception {
        Caller caller = new Caller(Way.LOCK);
        caller.start();
        Sent<AcquireCommand, AcquireReply> acquire = store.nextAcquire();
        assertThat(acquire.command().requests().get(0).patienceMillis()).isEqualTo(-1);
        acquire.answer(busy(6));
        TimeUnit.MILLISECONDS.sleep(100);
        assertThat(caller.outcome).isNotDone();
        template.engine().inbox().granted(acquire.command().names(), id(acquire), 7);

        assertThat(caller.outcome().taken()).isTrue();
    }

    @Test
    void interruptedHolderGetsNoInterruptibleReentry() {
        answerNext(granted(7));
        mutex.lock();
        Thread.currentThread().interrupt();

        assertThatThrownBy(mutex::lockInterruptibly).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        mutex.lock();
        assertThat(mutex.tryLock()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(mutex.getHoldCount()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptWhileAReentryRenewsTheLease(boolean interruptible) throws Exception {
        DistributedMutex limited = template.mutex(REQUEST.expire(Duration.ofMinutes(1)));
        Caller caller = new Caller(limited, self -> {
            self.lock();
            return interruptible ? takeInterruptibly(self) : take(self);
        });
        caller.start();
        store.nextAcquire().answer(granted(7));
        var renewal = store.nextRenewal();
        caller.interruptAndBeNoticed();
        if (interruptible) {
            Outcome outcome = caller.outcome();
            assertThat(outcome.thrown()).isInstanceOf(InterruptedException.class);
            assertThat(outcome.flag()).isFalse();
            assertThat(outcome.holds()).isEqualTo(1);
        } else {
            renewal.answer(List.of(List.of()));
            store.nextRenewal().answer(List.of(List.of()));
            assertThat(caller.outcome()).isEqualTo(new Outcome(true, null, true, 2));
        }
    }

    private static boolean take(DistributedMutex mutex) {
        mutex.lock();
        return true;
    }

    private static boolean takeInterruptibly(DistributedMutex mutex) throws InterruptedException {
        mutex.lockInterruptibly();
        return true;
    }

    @Test
    void unlockKeepsAnInterrupt() {
        answerNext(granted(7));
        mutex.lock();
        Thread.currentThread().interrupt();
        CompletableFuture<Void> answering =
                CompletableFuture.runAsync(() -> store.nextEnd().answer(ended(Role.HOLDER)));
        mutex.unlock();

        assertThat(Thread.interrupted()).isTrue();
        TestEngine.get(answering);
    }

    @Test
    void interruptedExceptionHasBatonsExceptionAsItsCause() {
        CompletableFuture<Void> answering = interruptAfter(Thread.currentThread());

        assertThatThrownBy(mutex::lockInterruptibly)
                .isInstanceOf(InterruptedException.class)
                .hasCauseInstanceOf(LockInterruptedException.class);
        TestEngine.get(answering);
    }

    private CompletableFuture<Void> interruptAfter(Thread thread) {
        return CompletableFuture.runAsync(() -> {
            store.nextAcquire().answer(busy(6));
            thread.interrupt();
        });
    }

    private void answerNext(AcquireReply reply) {
        CompletableFuture.runAsync(() -> store.nextAcquire().answer(reply));
    }

    private static String id(Sent<AcquireCommand, AcquireReply> acquire) {
        return acquire.command().requests().get(0).id();
    }

    private static void assertInterrupted(Outcome outcome) {
        assertThat(outcome.thrown()).isInstanceOf(InterruptedException.class);
        assertThat(outcome.flag()).as("the interrupt flag afterwards").isFalse();
        assertThat(outcome.holds()).isZero();
    }

    /** The result of a caller, its interrupt flag afterwards, and its hold count. */
    private record Outcome(boolean taken, @Nullable Throwable thrown, boolean flag, int holds) {}

    /** Acquires the lock in a thread of its own. */
    private final class Caller {

        private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        private final Thread thread;
        private volatile boolean interrupted;

        Caller(Way way) {
            this(mutex, way::take);
        }

        Caller(DistributedMutex mutex, Attempt request) {
            thread = new Thread(() -> {
                boolean taken = false;
                Throwable thrown = null;
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                try {
                    taken = request.take(mutex);
                } catch (InterruptedException | RuntimeException ex) {
                    thrown = ex;
                }
                outcome.complete(
                        new Outcome(taken, thrown, Thread.currentThread().isInterrupted(), mutex.getHoldCount()));
            });
        }

        void start() {
            thread.start();
        }

        void startInterrupted() {
            interrupted = true;
            thread.start();
        }

        /** Interrupts the thread, and returns when the interrupt has taken effect, if it has any. */
        void interruptAndBeNoticed() {
            Awaitility.await().until(() -> thread.getState() != Thread.State.RUNNABLE);
            thread.interrupt();
            Awaitility.await().until(() -> outcome.isDone() || !thread.isInterrupted());
        }

        Outcome outcome() {
            return TestEngine.get(outcome);
        }
    }

    private interface Attempt {
        boolean take(DistributedMutex mutex) throws InterruptedException;
    }
}
