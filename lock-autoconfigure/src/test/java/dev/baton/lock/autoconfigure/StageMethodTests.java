package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Tests locked methods with a CompletableFuture on a real Redis: the lock is held until the future completes. */
@Timeout(60)
class StageMethodTests {

    private static final Executor AFTER_2_S = CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS);
    private static final LockRequest JOB = LockRequest.of("job");
    private static final String NAME = "job.global";
    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner = Contexts.with(redis)
            .withBean("jobs", Jobs.class)
            .withPropertyValues("baton.recheck=20s", "baton.wait-time=30s");

    @BeforeEach
    void registerTenant() {
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
    }

    @AfterEach
    void end() {
        ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
        TENANT.remove();
        redis.close();
    }

    @Test
    void secondCallerWaitsUntilTheFutureOfTheFirstCallerCompletes() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            AtomicReference<Long> begun = new AtomicReference<>();
            CompletableFuture<String> first = jobs.run(() -> {
                begun.set(System.nanoTime());
                return CompletableFuture.supplyAsync(() -> "first", AFTER_2_S);
            });
            Waiters.awaitHeld(redis, NAME);
            assertThat(first).isNotDone();
            long second = jobs.run(() -> CompletableFuture.completedFuture("" + System.nanoTime()))
                    .thenApply(Long::parseLong)
                    .get(20, TimeUnit.SECONDS);
            // the stage completes after the release
            assertThat(first).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("first");
            assertThat(Duration.ofNanos(second - begun.get())).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void secondCallerGetsTheLockAfterTheFirstFutureIsCancelled() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> first = jobs.run(() -> work);
            Waiters.awaitHeld(redis, NAME);
            CompletableFuture<String> second = jobs.run(() -> CompletableFuture.completedFuture("second"));
            Waiters.awaitQueue(locks(context), JOB, 1);
            first.cancel(true);
            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("second");
            assertThat(work).isCancelled();
        });
    }

    @Test
    void cancelledWaiterLeavesTheQueueAndItsMethodIsNotCalled() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            try (Lease holder = locks(context).acquire(JOB)) {
                CompletableFuture<String> waiting = jobs.run(() -> {
                    throw new AssertionError("called");
                });
                Waiters.awaitQueue(locks(context), JOB, 1);
                waiting.cancel(true);
                Waiters.awaitQueue(locks(context), JOB, 0);
                assertThat(holder.isHeld()).isTrue();
            }
        });
    }

    @Test
    void twoHundredCallersWaitOnFewThreads() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Waiters.letOneWait(locks(context), JOB);
            Lease holder = locks(context).acquire(JOB);
            int before = Waiters.threads();
            List<CompletableFuture<String>> waiting = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                waiting.add(jobs.run(() -> CompletableFuture.completedFuture("")));
            }
            Waiters.awaitQueue(locks(context), JOB, 200);
            assertThat(Waiters.threads() - before).isLessThan(10);
            holder.close();
            CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        });
    }

    @Test
    void exceptionOfTheWorkReleasesTheLockAndIsUnchanged() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            IOException later = new IOException("later");
            assertThat(jobs.run(() -> CompletableFuture.failedFuture(later)))
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(later);
            IllegalStateException atOnce = new IllegalStateException("at once");
            assertThat(jobs.run(() -> {
                        throw atOnce;
                    }))
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(atOnce);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void nullInsteadOfAFutureIsAnError() {
        runner.run(context -> assertThat(context.getBean(Jobs.class).run(() -> null))
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("run(..) returned null instead of a java.util.concurrent.CompletableFuture"));
    }

    @Test
    void lostLeaseIsAnErrorWithTheResult() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = jobs.run(() -> work);
            Waiters.awaitHeld(redis, NAME);
            redis.command("DEL", "lock:lock:{" + NAME + "}");
            work.complete("late");
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> result.orTimeout(10, TimeUnit.SECONDS).join())
                    .havingCause()
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.result()).isEqualTo("late"));
        });
    }

    @Test
    void exceptionOfTheWorkOverridesTheLoss() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = jobs.run(() -> work);
            Waiters.awaitHeld(redis, NAME);
            redis.command("DEL", "lock:lock:{" + NAME + "}");
            IllegalStateException own = new IllegalStateException("own");
            work.completeExceptionally(own);
            assertThat(result)
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(own);
            assertThat(own.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
        });
    }

    @Test
    void resultIsReturnedIfTheLossIsOnlyLogged() {
        runner.run(context -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = context.getBean(Jobs.class).logging(work);
            Waiters.awaitHeld(redis, NAME);
            redis.command("DEL", "lock:lock:{" + NAME + "}");
            work.complete("late");
            assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("late");
        });
    }

    @Test
    void busyLockIsATimeoutOrTheFallbackOfTheMethod() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            try (Lease holder = locks(context).acquire(JOB)) {
                assertThat(jobs.failing())
                        .failsWithin(10, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withCauseInstanceOf(LockTimeoutException.class);
                assertThat(jobs.skipping().toCompletableFuture().get(10, TimeUnit.SECONDS))
                        .isNull();
                assertThat(jobs.answering("x").get(10, TimeUnit.SECONDS)).isEqualTo("busy: x");
                assertThat(jobs.asking("y").get(10, TimeUnit.SECONDS)).isEqualTo("busy: y");
                assertThat(holder.isHeld()).isTrue();
            }
        });
    }

    @Test
    void timeoutOfAnotherLockIsAFailureOfTheMethod() {
        runner.run(context -> {
            LockTimeoutException own = new LockTimeoutException("other", Duration.ZERO, null);
            assertThat(context.getBean(Jobs.class).answeringUnlessBegun(own))
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(own);
        });
    }

    @Test
    void conditionAndKeyAreEvaluatedWhenTheMethodIsCalled() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = jobs.keyed(List.of("a", "b"), true, work);
            Waiters.awaitHeld(redis, "part.a");
            Waiters.awaitHeld(redis, "part.b");
            work.complete("done");
            assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            Waiters.awaitFree(redis, "part.a");
            try (Lease holder = locks(context).acquire(LockRequest.of("part", "a"))) {
                assertThat(jobs.keyed(List.of("a"), false, CompletableFuture.completedFuture("free")))
                        .isCompletedWithValue("free");
            }
        });
    }

    @Test
    void lockIsKeptForItsMinimumHold() {
        runner.run(context -> {
            context.getBean(Jobs.class).kept().get(10, TimeUnit.SECONDS);
            assertThat(redis.command("EXISTS", "lock:lock:{" + NAME + "}")).isEqualTo(1L);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void innerCallOfTheSameLockRunsAtOnce() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.run(() -> jobs.run(() -> CompletableFuture.completedFuture("inner")))
                            .get(5, TimeUnit.SECONDS))
                    .isEqualTo("inner");
            assertThat(jobs.run(jobs::notAgain))
                    .failsWithin(5, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(LockDeadlockException.class);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void innerCallsOfAnotherLockExcludeEachOther() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> firstWork = new CompletableFuture<>();
            AtomicReference<CompletableFuture<String>> second = new AtomicReference<>();
            CompletableFuture<String> outer = jobs.run(() -> {
                CompletableFuture<String> first = jobs.keyed(List.of("a"), true, firstWork);
                second.set(jobs.keyed(List.of("a"), true, CompletableFuture.completedFuture("second")));
                return first;
            });
            Waiters.awaitQueue(locks(context), LockRequest.of("part", "a"), 1);
            assertThat(second.get()).isNotDone();
            firstWork.complete("first");
            assertThat(outer.get(5, TimeUnit.SECONDS)).isEqualTo("first");
            assertThat(second.get().get(5, TimeUnit.SECONDS)).isEqualTo("second");
        });
    }

    @Test
    void methodSeesTheLeaseAndTheThreadLocalsOfTheCaller() {
        runner.run(context -> {
            TENANT.set("acme");
            AtomicReference<@Nullable Lease> lease = new AtomicReference<>();
            AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
            String tenant = context.getBean(Jobs.class)
                    .run(() -> {
                        lease.set(LockContext.currentLease());
                        thread.set(Thread.currentThread());
                        return CompletableFuture.completedFuture(TENANT.get());
                    })
                    .get(10, TimeUnit.SECONDS);
            assertThat(tenant).isEqualTo("acme");
            assertThat(thread.get()).isNotSameAs(Thread.currentThread());
            assertThat(lease.get()).isNotNull();
            await().untilAsserted(() -> assertThat(lease.get().isHeld()).isFalse());
        });
    }

    private static LockOperations locks(ApplicationContext context) {
        return context.getBean(LockOperations.class);
    }

    /** The work of a method, set by a test. */
    interface Work {
        @Nullable
        CompletableFuture<String> begin();
    }

    static class Jobs {

        @DistributedLock("job")
        public @Nullable CompletableFuture<String> run(Work work) {
            return work.begin();
        }

        @DistributedLock(value = "job", reentrant = false)
        public CompletableFuture<String> notAgain() {
            return CompletableFuture.completedFuture("");
        }

        @DistributedLock(value = "job", onLost = OnLost.LOG)
        public CompletableFuture<String> logging(CompletableFuture<String> work) {
            return work;
        }

        @DistributedLock(value = "job", waitTime = 0)
        public CompletableFuture<String> failing() {
            return CompletableFuture.completedFuture("");
        }

        @DistributedLock(value = "job", waitTimeString = "100ms", whenBusy = WhenBusy.SKIP)
        public CompletionStage<String> skipping() {
            return CompletableFuture.completedFuture("");
        }

        @DistributedLock(value = "job", waitTime = 0, onTimeout = "busy")
        public CompletableFuture<String> answering(String id) {
            return CompletableFuture.completedFuture("");
        }

        public CompletableFuture<String> busy(String id, @Nullable LockTimeoutException timeout) {
            return CompletableFuture.supplyAsync(() -> "busy: " + id);
        }

        @DistributedLock(value = "job", waitTime = 0, onTimeout = "@jobs.busy(#id, null)")
        public CompletableFuture<String> asking(String id) {
            return CompletableFuture.completedFuture("");
        }

        @DistributedLock(value = "job", onTimeout = "never")
        public CompletableFuture<String> answeringUnlessBegun(LockTimeoutException own) {
            return CompletableFuture.failedFuture(own);
        }

        CompletableFuture<String> never(LockTimeoutException own) {
            throw new AssertionError("called");
        }

        @DistributedLock(scope = "part", key = "#ids", condition = "#locked")
        public CompletableFuture<String> keyed(List<String> ids, boolean locked, CompletableFuture<String> work) {
            return work;
        }

        @DistributedLock(scope = "job", holdAtLeastString = "3s", expire = 10)
        public CompletableFuture<String> kept() {
            return CompletableFuture.completedFuture("");
        }
    }
}
