package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.NAME;
import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which hints a process sends that a lock is wanted, and which it acts on. */
class WantedLocksTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration AFTER = Duration.ofMillis(100);

    private final TestEngine test = new TestEngine(TestEngine.CALM.requestingAfter(AFTER.toNanos()));
    private final AtomicInteger requested = new AtomicInteger();

    @AfterEach
    void stop() {
        test.close();
    }

    @Test
    void oneHintIsSentForAllWaitersOfALock() {
        for (int i = 0; i < 3; i++) {
            test.acquire(waits(LEASE));
            test.store.nextAcquire().answer(busy(6));
        }
        test.time.advance(AFTER);
        assertThat(test.store.nextHint().command()).isEqualTo(NAME.get(0));
        assertThat(test.store.hints).isEmpty();
        test.time.advance(AFTER);
        test.store.nextHint().fail(TestEngine.passing());
        test.time.advance(AFTER);
        assertThat(test.store.nextHint()).as("a failure ends nothing").isNotNull();
    }

    @Test
    void holderOfTheSameProcessNeedsNoCommand() {
        Acquisition holder = test.hold(waits(LEASE), 6);
        holder.onRequested(() -> true, requested::incrementAndGet);
        test.acquire(waits(LEASE));
        test.store.nextAcquire().answer(busy(6));
        test.time.advance(AFTER);
        Awaitility.await().until(() -> requested.get() == 1);
        assertThat(test.store.hints).isEmpty();
    }

    @Test
    void messageRunsTheActionsAtABoundedRate() {
        Acquisition holder = test.hold(waits(LEASE), 6);
        holder.onRequested(() -> true, requested::incrementAndGet);
        holder.onRequested(() -> false, () -> requested.addAndGet(100));
        String id = holder.ticket().id();
        for (int i = 0; i < 5; i++) {
            test.engine.inbox().wanted(NAME.get(0), id);
        }
        test.settle();
        Awaitility.await().until(() -> requested.get() == 1);
        test.time.advance(AFTER);
        test.engine.inbox().wanted(NAME.get(0), id);
        Awaitility.await().until(() -> requested.get() == 2);
    }

    @Test
    void messageOfAnUnknownProcessIsIgnored() {
        Acquisition holder = test.hold(waits(LEASE), 6);
        holder.onRequested(() -> true, requested::incrementAndGet);
        test.engine.inbox().wanted(NAME.get(0), "guessed:1");
        test.settle();
        test.time.advance(AFTER);
        test.engine.inbox().wanted(NAME.get(0), holder.ticket().id());
        Awaitility.await().until(() -> requested.get() > 0);
        assertThat(requested).hasValue(1);
    }
}
