package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.OnLost;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to work whose lease is lost. */
public abstract class OnLostScenarios extends Scenarios {

    protected static final LockRequest SHORT = LockRequest.of("x").expire(Duration.ofSeconds(1));

    private static final String LOCK = "x.global";
    private static final Duration SOON = Duration.ofSeconds(10);

    private final Recorder recorder = new Recorder();
    private volatile boolean interruptedAfterwards;

    protected LockTemplate template;

    @BeforeEach
    void start() {
        template = fleet.start(builder -> builder.listener(recorder));
    }

    @Test
    void interruptEndsTheWorkAndNothingElse() throws Exception {
        Future<Exception> failure = failure(SHORT.onLost(OnLost.INTERRUPT), lease -> {
            new CountDownLatch(1).await(10, TimeUnit.SECONDS);
            return "never";
        });
        fleet.until(Duration.ofSeconds(5), failure::isDone);
        assertThat(fleet.get(failure))
                .as("the work's own exception")
                .isInstanceOf(InterruptedException.class)
                .satisfies(ex -> assertThat(ex.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class));
        assertThat(interruptedAfterwards).isFalse();
    }

    @Test
    void workThatIgnoresTheInterruptIsToldAfterwards() throws Exception {
        Future<Exception> failure = failure(SHORT.onLost(OnLost.INTERRUPT), lease -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park(this);
            }
            return "done";
        });
        fleet.until(Duration.ofSeconds(5), failure::isDone);
        assertThat(fleet.get(failure))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        ex -> assertThat(ex.result()).isEqualTo("done"));
        assertThat(interruptedAfterwards).as("cleared after the work").isFalse();
    }

    @Test
    void interruptThatCameBeforeTheLossStays() {
        assertThatThrownBy(() -> template.execute(SHORT.onLost(OnLost.INTERRUPT), lease -> {
                    fleet.delete(LOCK);
                    Thread.currentThread().interrupt();
                    Future<Boolean> found = fleet.begin(() -> {
                        lease.verify();
                        return false;
                    });
                    // a wait would take the interrupt away
                    spinUntilDone(found);
                    assertThat(lease.isExpired()).isTrue();
                    return "done";
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void endOfTheLeaseAfterTheWorkInterruptsNothing() throws Exception {
        CountDownLatch worked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Future<LockResult<String>> worker = fleet.begin(() -> {
            LockResult<String> done = template.tryExecute(SHORT.onLost(OnLost.INTERRUPT), lease -> "done");
            worked.countDown();
            // an interrupt would end this
            over.await();
            return done;
        });
        fleet.until(SOON, () -> worked.getCount() == 0);
        fleet.pass(Duration.ofMillis(1_300));
        over.countDown();
        assertThat(fleet.get(worker)).isEqualTo(new LockResult.Executed<>("done"));
        assertThat(recorder.events).doesNotHaveAnyElementsOfTypes(LockLostEvent.class);
    }

    @Test
    void defaultInterruptsWorkAndLeavesLeasesAlone() throws Exception {
        LockTemplate interrupting = fleet.start(builder -> builder.onLost(OnLost.INTERRUPT));
        assertThatThrownBy(() -> fleet.call(() -> interrupting.execute(SHORT, lease -> {
                    new CountDownLatch(1).await(10, TimeUnit.SECONDS);
                    return "never";
                })))
                .isInstanceOf(InterruptedException.class);
        Lease lease = fleet.call(() -> interrupting.acquire(SHORT));
        fleet.until(SOON, lease::isExpired);
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void logReturnsTheResult() throws Exception {
        // a release that is repeated cannot tell a deleted lock from what the first one released
        template.close();
        template = fleet.start(builder -> builder.listener(recorder).commandTimeout(Duration.ofSeconds(30)));
        String result = fleet.call(() -> template.execute(SHORT.onLost(OnLost.LOG), lease -> {
            awaitLoss(lease);
            return "done";
        }));
        assertThat(result).isEqualTo("done");
        LockResult<String> tried = fleet.call(() -> template.tryExecute(
                LockRequest.of("x")
                        .onLost(OnLost.LOG)
                        .expire(Duration.ofSeconds(20))
                        .waitTime(Duration.ofSeconds(2)),
                lease -> {
                    fleet.delete(LOCK);
                    return "found out by the release";
                }));
        assertThat(tried).isEqualTo(new LockResult.Executed<>("found out by the release"));
        fleet.until(
                SOON,
                () -> recorder.events.stream()
                                .filter(LockLostEvent.class::isInstance)
                                .count()
                        == 2);
    }

    @Test
    void logKeepsCloseFromThrowing() throws Exception {
        Lease lease = template.acquire(SHORT.onLost(OnLost.LOG));
        fleet.until(SOON, lease::isExpired);
        lease.close();
        Lease other = fleet.call(() -> template.acquire(SHORT.onLost(OnLost.LOG)));
        fleet.until(SOON, other::isExpired);
        assertThat(other.release()).as("the answer stays the truth").isFalse();
    }

    @Test
    void listenersHearOfGrantReleaseTimeOutAndLoss() throws Exception {
        template.execute(LockRequest.of("x"), lease -> template.execute(LockRequest.of("x"), Lease::isHeld));
        Lease held = fleet.start().acquire(LockRequest.of("x"));
        assertThat(fleet.call(() -> template.tryAcquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1)))))
                .isEmpty();
        held.close();
        Lease lease = template.acquire(SHORT);
        fleet.until(SOON, lease::isExpired);
        fleet.until(SOON, () -> recorder.events.size() == 5);
        assertThat(recorder.events)
                .satisfiesExactly(
                        event -> assertThat(event).isInstanceOf(LockListener.Granted.class),
                        event -> assertThat(event).isInstanceOf(LockListener.Released.class),
                        event -> assertThat(event).isInstanceOfSatisfying(LockListener.TimedOut.class, timedOut -> {
                            assertThat(timedOut.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(999));
                            assertThat(timedOut.holder().owner()).isEqualTo(held.owner());
                        }),
                        event -> assertThat(event).isInstanceOf(LockListener.Granted.class),
                        event -> assertThat(event).isInstanceOfSatisfying(LockLostEvent.class, lost -> {
                            assertThat(lost.names()).containsExactly(LOCK);
                            assertThat(lost.fencingToken()).isEqualTo(lease.fencingToken());
                            assertThat(lost.reason()).contains("its lease ended");
                        }));
    }

    private static void awaitLoss(Lease lease) throws InterruptedException {
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLost(lost::countDown);
        assertThat(lost.await(10, TimeUnit.SECONDS)).as("told of the loss").isTrue();
        assertThat(lease.isExpired()).isTrue();
    }

    private static void spinUntilDone(Future<?> future) {
        long begun = System.nanoTime();
        while (!future.isDone() && System.nanoTime() - begun < SOON.toNanos()) {
            Thread.onSpinWait();
        }
        assertThat(future).isDone();
    }

    /** Begins work under a lock, and returns how it fails. */
    private Future<Exception> failure(LockRequest request, LockCallback<String, Exception> work) {
        return fleet.begin(() -> {
            try {
                template.execute(request, work);
            } catch (Exception ex) {
                // here: a pool of threads clears the flag before its next task
                interruptedAfterwards = Thread.interrupted();
                return ex;
            }
            throw new AssertionError("no failure");
        });
    }

    /** Keeps what it is told. */
    private static final class Recorder implements LockListener {

        private final List<Object> events = new CopyOnWriteArrayList<>();

        @Override
        public void granted(Granted event) {
            events.add(event);
        }

        @Override
        public void timedOut(TimedOut event) {
            events.add(event);
        }

        @Override
        public void released(Released event) {
            events.add(event);
        }

        @Override
        public void lost(LockLostEvent event) {
            events.add(event);
        }
    }
}
