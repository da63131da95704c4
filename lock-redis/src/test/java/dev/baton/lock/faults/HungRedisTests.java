package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import dev.baton.lock.support.Punctuality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests a Redis that accepts commands and answers none, for which Lettuce alone would wait for a minute, and Jedis for
 * two seconds.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("nightly")
class HungRedisTests {

    private static final Logger log = LoggerFactory.getLogger(HungRedisTests.class);

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration RECHECK = Duration.ofSeconds(1);
    /** The delay that a busy machine may add to a bound. */
    private static final Duration SLACK = Duration.ofMillis(400);

    /** If the control callback has less than this left, the machine is too busy for a callback in time. */
    private static final Duration LEAST = Duration.ofMillis(20);

    private static final Duration TOO_EARLY = Duration.ofMillis(200);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Punctuality punctuality = new Punctuality();
    private final Backend backend;
    private TestRedis redis;

    HungRedisTests(Backend backend) {
        this.backend = backend;
    }

    /** A way in which Redis hangs. */
    enum Hang {
        /** The process of Redis is paused. */
        STOPPED {
            @Override
            void begin(TestRedis redis, RespConnection connection) {
                redis.pause();
            }

            @Override
            void end(TestRedis redis, RespConnection connection) {
                redis.resume();
            }
        },
        /** Redis runs, and answers no client. */
        CLIENTS_PAUSED {
            @Override
            void begin(TestRedis redis, RespConnection connection) {
                connection.command("CLIENT", "PAUSE", "20000", "ALL");
            }

            @Override
            void end(TestRedis redis, RespConnection connection) {
                // the answer arrives when the pause has ended
                connection.send("PING");
                connection.read(Duration.ofSeconds(30));
            }
        };

        abstract void begin(TestRedis redis, RespConnection connection);

        abstract void end(TestRedis redis, RespConnection connection);
    }

    @BeforeEach
    void start() {
        redis = backend.startRedis();
        open.add(redis);
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        punctuality.close();
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsEndInTimeAndTheHolderIsNotified(Hang hang) throws Exception {
        Engine holder = engine();
        Engine waiter = engine();
        holder.locks().execute("warm-up", 1, lease -> 1);
        waiter.locks().execute("warm-up", 1, lease -> 1);
        RespConnection connection = redis.connect();
        open.add(connection);
        Lease lease = holder.locks().acquire(LockRequest.of("held"));
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        Future<?> queued = threads.submit(
                () -> waiter.locks().acquire(LockRequest.of("held").waitTime(Duration.ofSeconds(4))));
        await().pollInterval(Duration.ofMillis(5)).until(() -> redis.ttl("lock:queue:{held.global}") > 0);
        hang.begin(redis, connection);
        try {
            CompletableFuture<Long> control =
                    punctuality.callback(lease.remaining().toNanos());
            List<Future<Duration>> waits = new ArrayList<>();
            for (String name : List.of("held", "free")) {
                waits.add(threads.submit(() -> refused(waiter, name)));
                waits.add(threads.submit(() -> refused(holder, "of the holder " + name)));
            }
            Engine begun = Engine.startDeaf(connect(), builder -> {});
            open.add(begun);
            waits.add(threads.submit(() -> refused(begun, "begun")));
            for (Future<Duration> wait : waits) {
                assertThat(wait.get(20, TimeUnit.SECONDS)).isBetween(WAIT, Duration.ofMillis(2500));
            }
            assertNotifiedInTime(
                    told.get(20, TimeUnit.SECONDS), holder.answers().earliestEnd(LEASE), control.join());
            assertThat(lease.isHeld()).isFalse();
            assertThatThrownBy(() -> queued.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LockException.class);
        } finally {
            hang.end(redis, connection);
        }
        assertNothingIsLeft(LEASE.plus(RECHECK.multipliedBy(14)).plus(SLACK));
    }

    /** Asserts that the holder was notified shortly before the lease could end in Redis. */
    private static void assertNotifiedInTime(long told, long earliestEnd, long control) {
        Duration left = Duration.ofNanos(earliestEnd - told);
        Duration leftOfControl = Duration.ofNanos(earliestEnd - control);
        log.info(
                "Notified {} ms before the lease can end, control callback {} ms",
                left.toMillis(),
                leftOfControl.toMillis());
        assertThat(left).isLessThan(TOO_EARLY);
        if (leftOfControl.compareTo(LEAST) > 0) {
            assertThat(left).isPositive();
        }
    }

    private static Duration refused(Engine engine, String name) {
        long asked = System.nanoTime();
        Throwable refusal = catchThrowable(() ->
                engine.locks().acquire(LockRequest.of(name.replace(' ', '-')).waitTime(WAIT)));
        Duration waited = Duration.ofNanos(System.nanoTime() - asked);
        assertThat(refusal).isInstanceOf(LockStoreException.class);
        return waited;
    }

    private void assertNothingIsLeft(Duration within) {
        await().atMost(within)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(redis.keys())
                        .allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:")));
    }

    private Engine engine() {
        Engine engine = Engine.start(connect(), builder -> builder.expire(LEASE));
        open.add(engine);
        return engine;
    }

    private Connections connect() {
        return backend.connect(redis.host(), redis.port());
    }
}
