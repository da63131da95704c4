package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.annotation.NoDistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Tests the features of the macro of redis-em-mutex with annotations, on a real Redis with a second application that
 * holds the locks.
 */
@Timeout(60)
class AutoMutexTests {

    private static TestRedis redis;

    private ApplicationContextRunner runner;

    @BeforeAll
    static void startRedis() {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void prepare() {
        runner = Contexts.with(redis)
                .withBean(TheClass.class)
                .withBean(Macro.class)
                .withBean("foobar", Callbacks.class)
                // the recheck exceeds the wait time, so that no recheck is under way when a caller gives up
                .withPropertyValues(
                        "baton.wait-time=1s",
                        "baton.recheck=20s",
                        "baton.scopes.scoped.expire=40s",
                        "baton.scopes.scoped.wait-time=0");
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(redis.command("KEYS", "lock:*lock:{*")).isEqualTo(List.of());
    }

    @Test
    void protectedMethodIsExecutedByOneAtATime() {
        whileOtherHolds(TheClass.class.getName() + ".criticalRun", bean -> {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(bean::criticalRun)
                    .satisfies(busy ->
                            assertThat(busy.name()).isEqualTo(TheClass.class.getName() + ".criticalRun.global"));
        });
        whileOtherHolds("unrelated", bean -> assertThat(bean.criticalRun()).isEqualTo("ran"));
    }

    @Test
    void methodsOfAClassAreProtectedSeparately() {
        runner.run(context -> runner.run(other -> {
            Macro macro = context.getBean(Macro.class);
            try (Lease held =
                    hold(other, LockRequest.of(Macro.class.getName() + ".start").namespace("theClass"))) {
                assertThat(held.isHeld()).isTrue();
                assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(macro::start);
                assertThat(macro.stop()).isTrue();
                assertThat(macro.unprotected()).isFalse();
            }
            assertThat(macro.start()).isTrue();
        }));
    }

    @Test
    void optionsAreInheritedUnlessOverridden() {
        runner.run(context -> {
            Macro macro = context.getBean(Macro.class);
            assertThat(macro.remaining()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(100));
            assertThat(macro.remainingOfItsOwn()).isBetween(Duration.ofSeconds(900), Duration.ofSeconds(1000));
            assertThat(macro.redisKey()).startsWith("lock:theClass:");
        });
    }

    @Test
    void optionsOfTheScopeComeAfterThoseOfTheClass() {
        runner.run(context -> runner.run(other -> {
            TheClass bean = context.getBean(TheClass.class);
            assertThat(bean.scoped()).isBetween(Duration.ofSeconds(35), Duration.ofSeconds(40));
            assertThat(bean.scopedOverridden()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
            try (Lease held = hold(other, LockRequest.of("scoped"))) {
                assertThat(held.remaining())
                        .as("the options apply to an explicit lock")
                        .isLessThan(Duration.ofSeconds(41))
                        .isGreaterThan(Duration.ofSeconds(31));
                assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(bean::scoped)
                        .satisfies(busy -> assertThat(busy.waited()).isZero());
            }
        }));
    }

    @Test
    void recursionRunsAtOnce() {
        runner.run(context -> {
            TheClass bean = context.getBean(TheClass.class);
            assertThat(bean.factorial(5, bean)).isEqualTo(120);
        });
    }

    @Test
    void forbiddenRecursionFailsAtOnce() {
        runner.run(context -> {
            TheClass bean = context.getBean(TheClass.class);
            assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(() -> bean.once(bean));
        });
    }

    @Test
    void onTimeoutCallsAMethod() {
        whileOtherHolds("long", bean -> assertThat(bean.runLong("a")).isEqualTo("cannot run a: long.global"));
        whileOtherHolds("unrelated", bean -> assertThat(bean.runLong("a")).isEqualTo("ran a"));
    }

    @Test
    void onTimeoutCallsBack() {
        whileOtherHolds("foo", bean -> assertThat(bean.foo(7)).isEqualTo("bar 7"));
        whileOtherHolds("unrelated", bean -> assertThat(bean.foo(7)).isEqualTo("foo 7"));
    }

    @Test
    void timeoutWithoutAHandlerIsAnExceptionWithTheHolder() {
        whileOtherHolds(
                "plain",
                bean -> assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(bean::plain)
                        .satisfies(busy -> assertThat(busy.holder()).isPresent()));
    }

    @Test
    void skipReturnsNothing() {
        whileOtherHolds("skip", bean -> assertThat(bean.skip()).isEmpty());
        whileOtherHolds("unrelated", bean -> assertThat(bean.skip()).hasValue("ran"));
    }

    @Test
    void conditionDecidesWhetherTheLockIsAcquired() {
        whileOtherHolds("plain", bean -> {
            assertThat(bean.unlessDry(true)).isEqualTo("ran");
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> bean.unlessDry(false));
        });
    }

    private void whileOtherHolds(String scope, Check check) {
        runner.run(context -> runner.run(other -> {
            try (Lease held = hold(other, LockRequest.of(scope))) {
                assertThat(held.isHeld()).isTrue();
                check.on(context.getBean(TheClass.class));
            }
        }));
    }

    private static Lease hold(AssertableApplicationContext other, LockRequest request) {
        return other.getBean(LockOperations.class).acquire(request);
    }

    private interface Check {
        void on(TheClass bean);
    }

    static class TheClass {

        @DistributedLock
        public String criticalRun() {
            return "ran";
        }

        @DistributedLock("recursive")
        public int factorial(int number, TheClass self) {
            return number <= 1 ? 1 : number * self.factorial(number - 1, self);
        }

        @DistributedLock(scope = "recursive", reentrant = false)
        public void once(@Nullable TheClass again) {
            if (again != null) {
                again.once(null);
            }
        }

        @DistributedLock(scope = "long", expire = 1000, waitTimeString = "700ms", onTimeout = "cantRun")
        public String runLong(String name) {
            return "ran " + name;
        }

        public String cantRun(String name, LockTimeoutException busy) {
            return "cannot run " + name + ": " + busy.name();
        }

        @DistributedLock(scope = "foo", waitTime = 0, onTimeout = "@foobar.bar(#number)")
        public String foo(int number) {
            return "foo " + number;
        }

        @DistributedLock("plain")
        public String plain() {
            return "ran";
        }

        @DistributedLock(scope = "plain", condition = "!#dryRun")
        public String unlessDry(boolean dryRun) {
            return "ran";
        }

        @DistributedLock(scope = "skip", waitTime = 0, whenBusy = WhenBusy.SKIP)
        public Optional<String> skip() {
            return Optional.of("ran");
        }

        @DistributedLock("scoped")
        public Duration scoped() {
            return LockContext.currentLease().remaining();
        }

        @DistributedLock(scope = "scoped", expire = 20)
        public Duration scopedOverridden() {
            return LockContext.currentLease().remaining();
        }
    }

    @DistributedLock
    @LockDefaults(expire = 100, namespace = "theClass")
    static class Macro {

        public boolean start() {
            return LockContext.findLease().isPresent();
        }

        public boolean stop() {
            return LockContext.findLease().isPresent();
        }

        @NoDistributedLock
        public boolean unprotected() {
            return LockContext.findLease().isPresent();
        }

        public Duration remaining() {
            return LockContext.currentLease().remaining();
        }

        @DistributedLock(expire = 1000)
        public Duration remainingOfItsOwn() {
            return LockContext.currentLease().remaining();
        }

        public String redisKey() {
            return LockContext.currentLease().redisKeys().get(0);
        }
    }

    public static class Callbacks {

        public String bar(int number) {
            return "bar " + number;
        }
    }
}
