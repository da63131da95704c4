package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Tests {@code @Scheduled} in two applications: one runs, and the other skips its tick. */
class ScheduledCombinationTests extends CombinationFixture {

    private static final String BUSY = "busy report.global";

    private final Runs runs = new Runs();

    @Test
    void oneApplicationRunsWhileTheOtherSkipsItsTicks() {
        ApplicationContextRunner scheduled =
                runner.withUserConfiguration(Enable.class).withBean(LongReport.class, () -> new LongReport(runs));
        scheduled.run(a -> scheduled.run(b -> {
            await().until(() -> Collections.frequency(journal, BUSY) >= 3);
            assertThat(runs.started).hasValue(1);
            runs.leave.countDown();
            // a later tick of either application runs
            await().until(() -> runs.started.get() >= 2);
            assertThat(runs.most).hasValue(1);
        }));
    }

    @Test
    void tickOfTheOtherIsSkippedAfterShortWork() {
        ApplicationContextRunner scheduled =
                runner.withUserConfiguration(Enable.class).withBean(ShortReport.class, () -> new ShortReport(runs));
        scheduled.run(a -> scheduled.run(b -> {
            await().until(() -> Collections.frequency(journal, BUSY) >= 4);
            assertThat(runs.started).hasValue(1);
        }));
        // the lock kept by holdAtLeastString
        redis.command("DEL", namespace + ":lock:{report.global}");
    }

    @Test
    void bothApplicationsRunWithoutTheLock() {
        ApplicationContextRunner scheduled = runner.withUserConfiguration(Enable.class)
                .withBean(UnlockedReport.class, () -> new UnlockedReport(runs));
        scheduled.run(a -> scheduled.run(b -> {
            await().until(() -> runs.most.get() == 2);
            runs.leave.countDown();
        }));
    }

    /** Counts the runs of both applications. */
    static final class Runs {

        private final CountDownLatch leave = new CountDownLatch(1);
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        void run(CountDownLatch until) {
            started.incrementAndGet();
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                assertThat(until.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            } finally {
                running.decrementAndGet();
            }
        }
    }

    @EnableScheduling
    static class Enable {}

    static class LongReport {

        private final Runs runs;

        LongReport(Runs runs) {
            this.runs = runs;
        }

        @Scheduled(fixedDelay = 50)
        @DistributedLock(scope = "report", waitTime = 0, whenBusy = WhenBusy.SKIP)
        void build() {
            runs.run(runs.leave);
        }
    }

    static class ShortReport {

        private final Runs runs;

        ShortReport(Runs runs) {
            this.runs = runs;
        }

        @Scheduled(fixedDelay = 50)
        @DistributedLock(
                scope = "report",
                expire = 60,
                holdAtLeastString = "30s",
                waitTime = 0,
                whenBusy = WhenBusy.SKIP)
        void build() {
            runs.run(new CountDownLatch(0));
        }
    }

    static class UnlockedReport {

        private final Runs runs;

        UnlockedReport(Runs runs) {
            this.runs = runs;
        }

        @Scheduled(fixedDelay = 50)
        void build() {
            runs.run(runs.leave);
        }
    }
}
