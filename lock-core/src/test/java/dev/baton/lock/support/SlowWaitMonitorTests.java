package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockState;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which requests are reported if some end before the store has answered the monitor. */
class SlowWaitMonitorTests {

    private static final LockState FREE = new LockState("", "server_access.42", Optional.empty(), List.of(), 0);

    private final TestEngine test = new TestEngine();
    private final BlockingQueue<Integer> reported = new LinkedBlockingQueue<>();
    private final SlowWaitMonitor monitor = new SlowWaitMonitor(
            test.store,
            test.time,
            Duration.ofMillis(1),
            () -> test.engine,
            (longest, waited, requests, state) -> reported.add(requests));

    private final PendingAcquisition first = waiting();
    private final PendingAcquisition second = waiting();

    private PendingAcquisition waiting() {
        return test.engine.acquireAsync(TestEngine.waits(Duration.ofSeconds(10)), acquisition -> {});
    }

    @BeforeEach
    void waitLong() {
        test.time.advance(Duration.ofSeconds(5));
        monitor.watch();
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void requestThatEndedMeanwhileIsNotReported() throws InterruptedException {
        Sent<LockName, LockState> inspection = test.store.nextInspection();
        first.cancel();
        inspection.answer(FREE);

        assertThat(reported.poll(5, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void nothingIsReportedIfAllEndedMeanwhile() throws InterruptedException {
        Sent<LockName, LockState> inspection = test.store.nextInspection();
        first.cancel();
        second.cancel();
        inspection.answer(FREE);
        // the next check comes after the first report would have been made
        waiting();
        test.time.advance(Duration.ofSeconds(5));
        monitor.watch();
        test.store.nextInspection().answer(FREE);

        assertThat(reported.poll(5, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(reported).isEmpty();
    }
}
