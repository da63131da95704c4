package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests a network that loses commands and messages of a process in both directions, and closes no connection. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SilentNetworkTests extends FaultScene {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofSeconds(1);
    /** The delay that a busy machine may add to a bound. */
    private static final Duration SLACK = Duration.ofMillis(500);

    private static final Duration LONG = Duration.ofSeconds(20);

    private TcpProxy proxy;
    private Engine cutOff;
    private Engine other;

    SilentNetworkTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void startBoth() {
        proxy = opened(TcpProxy.to(redis));
        cutOff = engine(proxy, builder -> builder.expire(LEASE));
        other = engine(builder -> builder.expire(LEASE));
        cutOff.locks().execute("warm-up", 1, lease -> 1);
    }

    @Test
    void holderIsNotifiedBeforeAnotherHolderIsGranted() throws Exception {
        Lease lease = cutOff.locks().acquire(LockRequest.of("held"));
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        LockRequest patient = LockRequest.of("held").waitTime(LONG);
        CompletableFuture<Long> granted = other.locks()
                .acquireAsync(patient)
                .thenApply(next -> {
                    long now = System.nanoTime();
                    next.close();
                    return now;
                })
                .toCompletableFuture();
        await().until(() -> EngineCounters.placed(other.locks()) == 1);
        proxy.swallow();

        long end = told.get(10, TimeUnit.SECONDS);
        assertThat(granted.get(10, TimeUnit.SECONDS) - end)
                .as("nanoseconds from the loss to the next grant")
                .isPositive();
        assertThat(lease.isHeld()).isFalse();
        recover();
    }

    @Test
    void waitsEndInTimeAndLaterAcquisitionsSucceed() throws Exception {
        Lease held = other.locks().acquire(LockRequest.of("held"));
        Future<Duration> queued = threads.submit(() -> refused("held", WAIT.multipliedBy(2)));
        await().until(() -> EngineCounters.placed(cutOff.locks()) == 1);
        proxy.swallow();

        Future<Duration> begun = threads.submit(() -> refused("free", WAIT));
        assertThat(begun.get(10, TimeUnit.SECONDS)).isBetween(WAIT, WAIT.plus(SLACK));
        assertThat(queued.get(10, TimeUnit.SECONDS))
                .isBetween(WAIT.multipliedBy(2), WAIT.multipliedBy(2).plus(SLACK));
        assertThat(held.release()).isTrue();
        recover();
    }

    @Test
    void lostGrantIsFoundWhenTheNetworkIsBack() throws Exception {
        Lease held = other.locks().acquire(LockRequest.of("held"));
        LockRequest patient = LockRequest.of("held").expire(LONG).waitTime(LONG);
        CompletableFuture<Lease> waiter = cutOff.locks().acquireAsync(patient).toCompletableFuture();
        await().until(() -> EngineCounters.placed(cutOff.locks()) == 1);
        proxy.swallow();
        assertThat(held.release()).isTrue();
        // Redis still knows the subscription, so it grants
        await().until(() -> redis.ttl("lock:lock:{held.global}") > LEASE.toMillis());
        assertThat(waiter).isNotDone();
        proxy.forward();
        proxy.cut();

        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        recover();
    }

    /** Breaks the connections. Asserts that the process then works, and that no trace of its requests is left. */
    private void recover() {
        proxy.forward();
        proxy.cut();
        await().atMost(Duration.ofSeconds(10))
                .ignoreExceptionsInstanceOf(LockStoreException.class)
                .untilAsserted(() -> assertThat(cutOff.locks().tryAcquire(LockRequest.of("held")))
                        .isPresent()
                        .hasValueSatisfying(Lease::close));
        assertNothingIsLeft(LEASE.plus(Duration.ofSeconds(5)), cutOff, other);
    }

    /** Returns how long the refused request took. */
    private Duration refused(String name, Duration wait) {
        long asked = System.nanoTime();
        assertThatThrownBy(() -> cutOff.locks().acquire(LockRequest.of(name).waitTime(wait)))
                .isInstanceOf(LockException.class);
        return Duration.ofNanos(System.nanoTime() - asked);
    }
}
