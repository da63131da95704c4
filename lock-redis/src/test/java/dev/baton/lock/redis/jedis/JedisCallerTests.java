package dev.baton.lock.redis.jedis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.redis.StoreUser;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.Connections;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.Pool;

/** Tests commands that the calling thread sends itself. */
class JedisCallerTests {

    private static final LockName NAME = new LockName("", "orders.1");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration BOUND = Duration.ofMillis(400);
    /** The delay that a busy machine may add to a bound. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final Backend backend = new Backend(Client.JEDIS, 1);
    private final TestRedis redis = backend.startRedis();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** A way in which Redis hangs. */
    enum Hang {
        /** The process of Redis is paused. */
        STOPPED {
            @Override
            void begin(TestRedis redis) {
                redis.pause();
            }

            @Override
            void end(TestRedis redis) {
                redis.resume();
            }
        },
        /** Redis runs, and answers no client for a while. */
        CLIENTS_PAUSED {
            @Override
            void begin(TestRedis redis) {
                redis.command("CLIENT", "PAUSE", "2000", "ALL");
            }

            @Override
            void end(TestRedis redis) {
                try (RespConnection connection = redis.connect()) {
                    connection.send("PING");
                    connection.read(Duration.ofSeconds(10));
                }
            }
        };

        abstract void begin(TestRedis redis);

        abstract void end(TestRedis redis);
    }

    @AfterEach
    void stop() throws Exception {
        redis.resume();
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        redis.close();
    }

    @Test
    void waitingCallerSendsItsCommandItself() throws Exception {
        StoreUser user = user(-1);
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        CompletableFuture<AcquireReply> second = acquire(user, 2, waits(TIMEOUT));
        assertThat(second).isCompleted();
        assertThat(second.join().answers()).hasOnlyElementsOfType(AcquireReply.Busy.class);
        CompletableFuture<EndReply> ended = end(user, 1, waits(TIMEOUT));
        assertThat(ended).isCompleted();
        assertThat(ended.join().role()).isEqualTo(EndReply.Role.HOLDER);
    }

    @Test
    void callerThatDoesNotWaitOrWaitsForAShortTimeLeavesTheCommandToAWorker() throws Exception {
        StoreUser user = user(-1);
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        redis.pause();
        assertThat(acquire(user, 2, null)).isNotDone();
        assertThat(acquire(user, 3, waits(Duration.ofMillis(99)))).isNotDone();
        assertThat(inThread(() -> {
                    Thread.currentThread().interrupt();
                    return acquire(user, 4, waits(TIMEOUT)).isDone();
                }))
                .succeedsWithin(SLACK)
                .isEqualTo(false);
        redis.resume();
    }

    @Test
    void connectionGoesBackToThePoolWithinASecond() throws Exception {
        Connections connections = backend.connect(redis.host(), redis.port());
        StoreUser user = keep(new StoreUser(connections, "a").awaitListening());
        Pool<Connection> pool = pool(connections);
        int before = pool.getNumActive();
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        assertThat(pool.getNumActive()).isGreaterThan(before);
        await().atMost(Duration.ofSeconds(5)).until(() -> pool.getNumActive() == before);
        assertThat(pool.getNumIdle()).isPositive();
    }

    @Test
    void scriptThatRedisHasForgottenIsSentByAWorker() throws Exception {
        StoreUser user = user(-1);
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        redis.command("SCRIPT", "FLUSH");
        assertThat(answer(end(user, 1, waits(TIMEOUT))).role()).isEqualTo(EndReply.Role.HOLDER);
    }

    @ParameterizedTest
    @EnumSource
    void callerIsLetGoInTimeIfRedisHangs(Hang hang) throws Exception {
        StoreUser user = user(-1);
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        hang.begin(redis);
        long asked = System.nanoTime();
        CompletableFuture<AcquireReply> refused = acquire(user, 2, waits(BOUND));
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        assertThat(refused).isCompletedExceptionally();
        assertThat(took).isBetween(BOUND, BOUND.plus(SLACK));
        assertThatThrownBy(refused::join)
                .hasMessageContaining("did not answer within 4")
                .cause()
                .isInstanceOfSatisfying(StoreException.class, failure -> {
                    assertThat(failure.isPassing()).isTrue();
                    assertThat(failure.isUnexecuted())
                            .as("Redis may carry it out later")
                            .isFalse();
                });
        hang.end(redis);
        assertThat(answer(end(user, 1, waits(TIMEOUT))).role()).isEqualTo(EndReply.Role.HOLDER);
        assertThat(answer(end(user, 2, waits(TIMEOUT)))).isNotNull();
    }

    @Test
    void interruptLetsAnInterruptibleCallerGo() throws Exception {
        StoreUser user = user(-1);
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        redis.pause();
        FutureTask<Boolean> caller = new FutureTask<>(() -> {
            assertThat(acquire(user, 2, waits(TIMEOUT))).isCompletedExceptionally();
            return Thread.interrupted();
        });
        Thread thread = start(caller);
        awaitExchange(thread);
        thread.interrupt();
        assertThat(caller.get(SLACK.toMillis(), TimeUnit.MILLISECONDS))
                .as("interrupted")
                .isTrue();
    }

    @Test
    void interruptDoesNotLetAnUninterruptibleCallerGo() throws Exception {
        StoreUser user = user(-1);
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        redis.pause();
        FutureTask<Boolean> caller = new FutureTask<>(() -> {
            CompletableFuture<EndReply> ended = end(user, 1, new WaitingCaller(TIMEOUT.toNanos(), false));
            assertThat(ended.getNow(null)).isNotNull();
            assertThat(ended.join().role()).isEqualTo(EndReply.Role.HOLDER);
            return Thread.interrupted();
        });
        Thread thread = start(caller);
        awaitExchange(thread);
        thread.interrupt();
        assertThat(isInExchange(thread)).isTrue();
        redis.resume();
        assertThat(caller.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                .as("interrupted")
                .isTrue();
    }

    @Test
    void exhaustedPoolDoesNotBlockTheCaller() throws Exception {
        JedisConnectionFactory small = factory(4);
        StoreUser user = keep(new StoreUser(new Connections(small, small::destroy), "small").awaitListening());
        Pool<Connection> pool = pool(new Connections(small, small::destroy));
        answer(end(user, 99, null));
        List<Connection> taken = new ArrayList<>();
        while (pool.getNumActive() < 4) {
            taken.add(pool.getResource());
        }
        user.timeout(BOUND);
        redis.resetStats();
        long asked = System.nanoTime();
        CompletableFuture<AcquireReply> refused = acquire(user, 1, waits(TIMEOUT));
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(BOUND);
        assertThat(refused)
                .failsWithin(BOUND.plus(SLACK))
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class)
                .satisfies(failure -> assertThat(((StoreException) failure.getCause()).isUnexecuted())
                        .isTrue());
        taken.remove(0).close();
        answer(acquire(user, 2, waits(TIMEOUT)));
        awaitKept(user);
        // no other connection is left: the application gets the kept one when a caller, or its second, is done with it
        FutureTask<Connection> application = new FutureTask<>(pool::getResource);
        start(application);
        await().until(() -> pool.getNumWaiters() > 0 || application.isDone());
        acquire(user, 3, waits(TIMEOUT));
        taken.add(application.get(5, TimeUnit.SECONDS));
        taken.forEach(Connection::close);
    }

    @Test
    void stopOfTheStoreLeavesTheBoundOfACaller() throws Exception {
        Connections connections = backend.connect(redis.host(), redis.port());
        StoreUser user = new StoreUser(connections, "a").awaitListening();
        answer(acquire(user, 1, waits(TIMEOUT)));
        awaitKept(user);
        redis.pause();
        FutureTask<Boolean> caller = new FutureTask<>(
                () -> acquire(user, 2, waits(Duration.ofSeconds(2))).isCompletedExceptionally());
        awaitExchange(start(caller));
        user.close();
        assertThat(caller.get(2 + SLACK.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void interruptedWaitLeavesNothingBehind() throws Exception {
        LockTemplate locks = template();
        locks.execute("warm-up", 1, lease -> 1);
        redis.pause();
        FutureTask<Boolean> caller = new FutureTask<>(() -> {
            assertThatThrownBy(() -> locks.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(20))))
                    .isInstanceOf(LockInterruptedException.class);
            return Thread.interrupted();
        });
        Thread thread = start(caller);
        awaitExchange(thread);
        thread.interrupt();
        assertThat(caller.get(SLACK.toMillis(), TimeUnit.MILLISECONDS))
                .as("interrupted")
                .isTrue();
        redis.resume();
        await().atMost(Duration.ofSeconds(10)).until(() -> redis.lastingKeys().equals(Set.of("lock:fence")));
    }

    @Test
    void interruptedTryIsReportedAsInterrupted() throws Exception {
        LockTemplate locks = template();
        locks.execute("warm-up", 1, lease -> 1);
        redis.pause();
        FutureTask<Throwable> caller = new FutureTask<>(() -> {
            try {
                locks.tryAcquire(LockRequest.of("x"));
                return null;
            } catch (RuntimeException ex) {
                return ex;
            }
        });
        Thread thread = start(caller);
        awaitExchange(thread);
        thread.interrupt();
        assertThat(caller.get(SLACK.toMillis(), TimeUnit.MILLISECONDS)).isInstanceOf(LockInterruptedException.class);
    }

    @Test
    void waitAndReleaseEndInTimeIfRedisIsStopped() throws Exception {
        LockTemplate locks = template();
        Lease lease = locks.acquire(LockRequest.of("held").expire(Duration.ofMinutes(1)));
        redis.pause();
        long asked = System.nanoTime();
        assertThatThrownBy(() -> locks.acquire(LockRequest.of("x").waitTime(BOUND)))
                .isInstanceOf(LockStoreException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isBetween(BOUND, BOUND.plus(SLACK));
        FutureTask<Boolean> release = new FutureTask<>(() -> {
            lease.close();
            return Thread.interrupted();
        });
        Thread thread = start(release);
        thread.interrupt();
        assertThat(release.get(2_000 + SLACK.toMillis(), TimeUnit.MILLISECONDS))
                .as("interrupted")
                .isTrue();
        redis.resume();
        await().atMost(Duration.ofSeconds(10)).until(() -> redis.lastingKeys().equals(Set.of("lock:fence")));
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "4, 1", "8, 3", "16, 7", "100, 7", "-1, 7"})
    void halfOfThePoolIsLeftToTheApplication(int connections, int kept) {
        assertThat(KeptConnections.limit(connections)).isEqualTo(kept);
    }

    private StoreUser user(int connections) {
        JedisConnectionFactory factory = factory(connections);
        return keep(new StoreUser(new Connections(factory, factory::destroy), "a").awaitListening());
    }

    private <T extends AutoCloseable> T keep(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private LockTemplate template() {
        Connections connections = backend.connect(redis.host(), redis.port());
        open.add(connections.end()::run);
        RedisLockStore store = RedisLockStore.builder(connections.factory()).build();
        LockTemplate locks = keep(LockTemplate.builder(store)
                .commandTimeout(Duration.ofSeconds(2))
                .shutdownAwait(Duration.ZERO)
                .build());
        await().until(store::isListening);
        return locks;
    }

    private JedisConnectionFactory factory(int connections) {
        GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration(redis.host(), redis.port());
        where.setDatabase(1);
        where.setUsername(Backend.USER);
        where.setPassword(Backend.USER);
        JedisConnectionFactory factory = new JedisConnectionFactory(
                where,
                JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static Pool<Connection> pool(Connections connections) {
        return ((RedisClient) connections.factory().getConnection().getNativeConnection()).getPool();
    }

    private static WaitingCaller waits(Duration longest) {
        return new WaitingCaller(longest.toNanos(), true);
    }

    private CompletableFuture<AcquireReply> acquire(StoreUser user, int number, WaitingCaller caller) {
        return user.store.acquire(new AcquireCommand(
                List.of(NAME),
                List.of(user.request(number, Kind.TRY)),
                Duration.ofSeconds(10),
                user.timeout().toNanos(),
                caller));
    }

    private CompletableFuture<EndReply> end(StoreUser user, int number, WaitingCaller caller) {
        return user.store.end(new EndCommand(
                List.of(NAME),
                user.request(number, Kind.TRY).id(),
                null,
                0,
                0,
                user.timeout().toNanos(),
                caller));
    }

    /** Waits until Redis knows the scripts, and a caller that waits may send its command itself. */
    private void awaitKept(StoreUser user) throws Exception {
        answer(end(user, 99, waits(TIMEOUT)));
        await().until(() -> acquire(user, 98, waits(TIMEOUT)).isDone());
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static <T> CompletableFuture<T> inThread(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        start(() -> {
            try {
                result.complete(task.call());
            } catch (Exception ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    private static void awaitExchange(Thread thread) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> isInExchange(thread));
    }

    private static boolean isInExchange(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().endsWith("CallerExchange"))
                && Arrays.stream(stack).anyMatch(frame -> frame.getMethodName().equals("read"));
    }
}
