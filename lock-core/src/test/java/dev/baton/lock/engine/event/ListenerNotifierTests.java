package dev.baton.lock.engine.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import dev.baton.lock.Lease;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.DefaultLease;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which events listeners receive, and that a failing listener harms neither a lock nor other listeners. */
class ListenerNotifierTests {

    private static final LockRequest REQUEST = LockRequest.of("x", 1).namespace("orders");

    private final FakeLockStore store = new FakeLockStore();
    private final Recorder recorder = new Recorder();
    private LockTemplate template = LockTemplate.builder(store)
            .recheck(Duration.ofHours(1))
            .expire(Duration.ofHours(1))
            .listener(recorder)
            .build();

    @AfterEach
    void stop() {
        template.engine().executors().stop();
    }

    @Test
    void grantAndReleaseAreAnnouncedInTheCallersThread() throws Exception {
        Lease lease = hold(7);
        assertThat(recorder.next()).isInstanceOfSatisfying(LockListener.Granted.class, event -> {
            assertThat(event.namespace()).isEqualTo("orders");
            assertThat(event.names()).containsExactly("x.1");
            assertThat(event.owner()).isEqualTo(lease.owner());
            assertThat(event.fencingToken()).isEqualTo(7);
            assertThat(event.waited()).isEqualTo(lease.waited());
            assertThat(event.contended()).isFalse();
            assertThat(event.attempts()).isEqualTo(1);
        });
        assertThat(recorder.thread).isEqualTo("asker");

        call("releaser", () -> {
            store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
            return true;
        });
        assertThat(call("caller", lease::release).get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(recorder.next()).isInstanceOfSatisfying(LockListener.Released.class, event -> {
            assertThat(event.names()).containsExactly("x.1");
            assertThat(event.fencingToken()).isEqualTo(7);
            assertThat(event.heldFor()).isPositive();
        });
        assertThat(recorder.thread).isEqualTo("caller");
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void reentryIsNotAnnounced() throws Exception {
        Lease[] leases = new Lease[2];
        CompletableFuture<Boolean> both = call("asker", () -> {
            leases[0] = template.acquire(REQUEST);
            leases[1] = template.acquire(REQUEST);
            return leases[1].release();
        });
        store.nextAcquire().answer(TestEngine.granted(7));
        assertThat(both.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(recorder.next()).isInstanceOf(LockListener.Granted.class);
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void refusedTryIsAnnounced() throws Exception {
        CompletableFuture<Boolean> tried =
                call("asker", () -> template.tryAcquire(REQUEST).isPresent());
        store.nextAcquire().answer(TestEngine.busy(5));
        assertThat(tried.get(5, TimeUnit.SECONDS)).isFalse();
        assertThat(recorder.next()).isInstanceOfSatisfying(LockListener.TimedOut.class, event -> {
            assertThat(event.namespace()).isEqualTo("orders");
            assertThat(event.names()).containsExactly("x.1");
            assertThat(event.waited()).isZero();
            assertThat(event.holder().label()).isEqualTo("web-1:1/main");
        });
        assertThat(recorder.thread).isEqualTo("asker");
    }

    @Test
    void lossIsAnnouncedOnceOnACallbackThread() throws Exception {
        Lease lease = hold(7);
        recorder.next();
        Acquisition acquisition = ((DefaultLease) lease).hold().acquisition;
        template.engine().leases().lost(acquisition.ticket(), acquisition.lastGrant(), "it was deleted");

        assertThat(recorder.next()).isInstanceOfSatisfying(LockLostEvent.class, event -> {
            assertThat(event.namespace()).isEqualTo("orders");
            assertThat(event.names()).containsExactly("x.1");
            assertThat(event.owner()).isEqualTo(lease.owner());
            assertThat(event.fencingToken()).isEqualTo(7);
            assertThat(event.heldFor()).isPositive();
            assertThat(event.reason()).isEqualTo("it was deleted");
        });
        assertThat(recorder.thread).isEqualTo("baton-callback");
        assertThat(lease.release()).isFalse();
        assertThat(recorder.events.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void throwingListenerHarmsNeitherTheLockNorOtherListeners() throws Exception {
        stop();
        List<Object> published = new CopyOnWriteArrayList<>();
        template = LockTemplate.builder(store)
                .expire(Duration.ofHours(1))
                .listener(new FailingListener())
                .listener(recorder)
                .eventPublisher(published::add)
                .build();
        try (LogCapture log = new LogCapture(ListenerNotifier.class.getName())) {
            Lease lease = hold(7);
            assertThat(lease.isHeld()).isTrue();
            assertThat(recorder.next()).isInstanceOf(LockListener.Granted.class);
            CompletableFuture<LockTimeoutException> failure = call("asker", () -> {
                try {
                    template.acquire(LockRequest.of("y").waitTime(Duration.ZERO));
                    throw new AssertionError("granted");
                } catch (LockTimeoutException ex) {
                    return ex;
                }
            });
            store.nextAcquire().answer(TestEngine.busy(5));
            assertThat(failure.get(5, TimeUnit.SECONDS)).hasMessageContaining("y.global");
            assertThat(recorder.next()).isInstanceOf(LockListener.TimedOut.class);
            Acquisition acquisition = ((DefaultLease) lease).hold().acquisition;
            template.engine().leases().lost(acquisition.ticket(), acquisition.lastGrant(), "it was deleted");
            assertThat(recorder.next()).isInstanceOf(LockLostEvent.class);
            Awaitility.await().until(() -> published.size() == 1);
            assertThat(log.messages(Level.ERROR))
                    .hasSize(3)
                    .allSatisfy(message -> assertThat(message).contains(FailingListener.class.getName()));
        }
    }

    @Test
    void lossAfterTheStopIsAnnounced() throws Exception {
        Lease lease = hold(7);
        recorder.next();
        template.engine().executors().stop();
        Acquisition acquisition = ((DefaultLease) lease).hold().acquisition;
        template.engine().leases().lostAll("it is another holder now");
        assertThat(recorder.next())
                .isInstanceOfSatisfying(
                        LockLostEvent.class, event -> assertThat(event.reason()).isEqualTo("it is another holder now"));
        assertThat(acquisition.loss()).isCompleted();
    }

    @Test
    void interruptOnLossNeedsWork() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> template.acquire(REQUEST.onLost(OnLost.INTERRUPT)))
                .withMessage(
                        "onLost INTERRUPT of lock 'x.1' needs work to interrupt, and an explicit lease has none; use"
                                + " execute, or Lease.onLost(Runnable)");
    }

    private Lease hold(long token) throws Exception {
        CompletableFuture<Lease> lease = call("asker", () -> template.acquire(REQUEST));
        store.nextAcquire().answer(TestEngine.granted(token));
        return lease.get(5, TimeUnit.SECONDS);
    }

    private static <T> CompletableFuture<T> call(String thread, Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        new Thread(
                        () -> {
                            try {
                                result.complete(call.call());
                            } catch (Exception | AssertionError ex) {
                                result.completeExceptionally(ex);
                            }
                        },
                        thread)
                .start();
        return result;
    }

    private static final class Recorder implements LockListener {

        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
        private volatile String thread = "";

        private Object next() throws InterruptedException {
            Object event = events.poll(5, TimeUnit.SECONDS);
            assertThat(event).as("an event within 5 s").isNotNull();
            return event;
        }

        private void add(Object event) {
            thread = Thread.currentThread().getName();
            events.add(event);
        }

        @Override
        public void granted(Granted event) {
            add(event);
        }

        @Override
        public void timedOut(TimedOut event) {
            add(event);
        }

        @Override
        public void released(Released event) {
            add(event);
        }

        @Override
        public void lost(LockLostEvent event) {
            add(event);
        }
    }

    /** Throws exceptions and errors. */
    private static final class FailingListener implements LockListener {

        @Override
        public void granted(Granted event) {
            throw new AssertionError("the listener's own");
        }

        @Override
        public void timedOut(TimedOut event) {
            throw new IllegalStateException("the listener's own");
        }

        @Override
        public void lost(LockLostEvent event) {
            throw new IllegalStateException("the listener's own");
        }
    }
}
