package dev.baton.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.wait.RecheckScheduler.Result;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests rechecks of waiters that poll beside waiters that do not. */
class PollingRecheckTests {

    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final AcquisitionSpec WAITS = TestEngine.waits(Duration.ofSeconds(30));

    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final ManualTime time = new ManualTime();
    private final BlockingQueue<List<Ticket>> asked = new LinkedBlockingQueue<>();
    private final List<String> watched = new CopyOnWriteArrayList<>();

    private final RecheckScheduler rechecks = new RecheckScheduler(
            executors,
            time,
            (tickets, behind, inTurn) -> {
                asked.add(List.copyOf(tickets));
                return CompletableFuture.completedFuture(Result.ANSWERED);
            },
            new KeyspaceWatches() {
                @Override
                public void begin(List<LockName> names) {
                    watched.add("begin");
                }

                @Override
                public void end(List<LockName> names) {
                    watched.add("end");
                }
            });

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void waitersThatPollAreNotToldOfAFreedLock() throws Exception {
        Ticket polls = polling(Duration.ofMillis(20));
        rechecks.await(TestEngine.NAME, List.of(polls), HOUR);
        Ticket waits = ticket(WAITS);
        rechecks.await(TestEngine.NAME, List.of(waits), HOUR);
        assertThat(watched).containsExactly("begin");

        rechecks.fireSoonWith(TestEngine.NAME.get(0));
        assertThat(next()).containsExactly(waits);
        settle();
        assertThat(asked).isEmpty();

        rechecks.remove(polls);
        assertThat(watched).containsExactly("begin");
        rechecks.remove(waits);
        assertThat(watched).containsExactly("begin", "end");
    }

    @Test
    void waitersThatPollAtAnotherIntervalAskForThemselves() throws Exception {
        Ticket often = polling(Duration.ofMillis(20));
        Ticket seldom = polling(Duration.ofSeconds(2));
        Ticket waits = ticket(WAITS);
        rechecks.await(TestEngine.NAME, List.of(seldom), HOUR);
        rechecks.await(TestEngine.NAME, List.of(waits), HOUR);
        rechecks.await(TestEngine.NAME, List.of(often), MILLI);

        assertThat(next()).containsExactly(often);
        settle();
        assertThat(asked).isEmpty();
        assertThat(rechecks.size()).as("one name").isEqualTo(1);
    }

    private Ticket polling(Duration interval) {
        return ticket(TestEngine.polling(WAITS, interval));
    }

    private Ticket ticket(AcquisitionSpec spec) {
        return TestEngine.ticket(spec, time.nanoTime());
    }

    private List<Ticket> next() throws InterruptedException {
        List<Ticket> next = asked.poll(5, TimeUnit.SECONDS);
        assertThat(next).as("waiters ask within 5 s").isNotNull();
        return next;
    }

    private void settle() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        executors.onAsker(0, () -> executors.onAsker(0, done::countDown));
        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
    }
}
