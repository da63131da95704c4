package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.OnLost;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to work whose lease is lost. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class OnLostTests extends OnBackend {

    private static final LockRequest SHORT = LockRequest.of("x").expire(Duration.ofSeconds(1));

    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private volatile boolean interruptedAfterwards;

    private final Recorder recorder = new Recorder();
    private LockTemplate template;

    OnLostTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        template = processes.start(builder -> builder.listener(recorder));
    }

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void interruptEndsTheWorkAndNothingElse() throws Exception {
        CompletableFuture<Throwable> failure = failure(SHORT.onLost(OnLost.INTERRUPT), lease -> {
            new CountDownLatch(1).await(10, TimeUnit.SECONDS);
            return "never";
        });
        assertThat(failure.get(5, TimeUnit.SECONDS))
                .as("the work's own exception")
                .isInstanceOf(InterruptedException.class)
                .satisfies(ex -> assertThat(ex.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class));
        assertThat(interruptedAfterwards).isFalse();
    }

    @Test
    void workThatIgnoresTheInterruptIsToldAfterwards() throws Exception {
        CompletableFuture<Throwable> failure = failure(SHORT.onLost(OnLost.INTERRUPT), lease -> {
            long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (!Thread.currentThread().isInterrupted() && System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            return "done";
        });
        assertThat(failure.get(8, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        ex -> assertThat(ex.getResult()).isEqualTo("done"));
        assertThat(interruptedAfterwards).as("cleared after the work").isFalse();
    }

    @Test
    void interruptOfSomebodyElseStays() throws Exception {
        CompletableFuture<Boolean> flag = CompletableFuture.supplyAsync(
                () -> {
                    assertThatThrownBy(() -> template.execute(SHORT.onLost(OnLost.INTERRUPT), lease -> {
                                Thread.currentThread().interrupt();
                                awaitLoss(lease);
                                return "done";
                            }))
                            .isInstanceOf(LockLostException.class);
                    return Thread.interrupted();
                },
                pool);
        assertThat(flag.get(8, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void lossAfterTheWorkInterruptsNobody() throws Exception {
        LockResult<String> done = template.tryExecute(SHORT.onLost(OnLost.INTERRUPT), lease -> "done");
        assertThat(done).isEqualTo(new LockResult.Executed<>("done"));
        // an interrupt would end this
        assertThat(new CountDownLatch(1).await(1_300, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(recorder.events).doesNotHaveAnyElementsOfTypes(LockLostEvent.class);
    }

    @Test
    void defaultInterruptsWorkAndLeavesLeasesAlone() throws Exception {
        LockTemplate interrupting = processes.start(builder -> builder.onLost(OnLost.INTERRUPT));
        assertThatThrownBy(() -> interrupting.execute(SHORT, lease -> {
                    new CountDownLatch(1).await(10, TimeUnit.SECONDS);
                    return "never";
                }))
                .isInstanceOf(InterruptedException.class);
        Lease lease = interrupting.acquire(SHORT);
        await().until(lease::isExpired);
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void logReturnsTheResult() {
        // a release that is repeated cannot tell a deleted key from what the first one released
        template.close();
        template = processes.start(builder -> builder.listener(recorder).commandTimeout(Duration.ofSeconds(30)));
        String result = template.execute(SHORT.onLost(OnLost.LOG), lease -> {
            awaitLoss(lease);
            return "done";
        });
        assertThat(result).isEqualTo("done");
        LockResult<String> tried = template.tryExecute(
                LockRequest.of("x")
                        .onLost(OnLost.LOG)
                        .expire(Duration.ofSeconds(20))
                        .waitTime(Duration.ofSeconds(2)),
                lease -> {
                    redis.command("DEL", "lock:lock:{x.global}");
                    return "found out by the release";
                });
        assertThat(tried).isEqualTo(new LockResult.Executed<>("found out by the release"));
        await().until(() ->
                recorder.events.stream().filter(LockLostEvent.class::isInstance).count() == 2);
    }

    @Test
    void logKeepsCloseFromThrowing() {
        Lease lease = template.acquire(SHORT.onLost(OnLost.LOG));
        await().until(lease::isExpired);
        lease.close();
        Lease other = template.acquire(SHORT.onLost(OnLost.LOG));
        await().until(other::isExpired);
        assertThat(other.release()).as("the answer stays the truth").isFalse();
    }

    @Test
    void listenersHearOfGrantReleaseTimeOutAndLoss() throws Exception {
        template.execute(LockRequest.of("x"), lease -> template.execute(LockRequest.of("x"), Lease::isHeld));
        Lease held = processes.other().acquire(LockRequest.of("x"));
        assertThat(template.tryAcquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1))))
                .isEmpty();
        held.close();
        Lease lease = template.acquire(SHORT);
        await().until(lease::isExpired);
        await().until(() -> recorder.events.size() == 5);
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
                            assertThat(lost.names()).containsExactly("x.global");
                            assertThat(lost.fencingToken()).isEqualTo(lease.fencingToken());
                            assertThat(lost.reason()).contains("its lease ended");
                        }));
    }

    private static void awaitLoss(Lease lease) {
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (lease.isHeld() && System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
        assertThat(lease.isExpired()).isTrue();
    }

    private CompletableFuture<Throwable> failure(LockRequest request, Work work) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        pool.execute(() -> {
            try {
                template.execute(request, work::run);
                failure.completeExceptionally(new AssertionError("no failure"));
            } catch (Exception ex) {
                // here: an executor clears the flag before its next task
                interruptedAfterwards = Thread.interrupted();
                failure.complete(ex);
            }
        });
        return failure;
    }

    private interface Work {
        String run(Lease lease) throws Exception;
    }

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
