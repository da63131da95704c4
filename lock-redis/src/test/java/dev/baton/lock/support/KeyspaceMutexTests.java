package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockScope;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What part 2 of Cloud 66's mutex adds: it waits for what Redis tells of the key. What both parts do: {@link CloudMutexTests}. */
class KeyspaceMutexTests {

    private static final String KEY = "lock:lock:{server_access.42}";
    private static final String CHANNEL = "__keyspace@0__:" + KEY;
    /** So long that it grants no waiter anything. */
    private static final Duration NEVER = Duration.ofSeconds(40);

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Processes processes;
    private LockTemplate one;

    @BeforeEach
    void start() {
        redis.command("CONFIG", "SET", "notify-keyspace-events", "E$");
        processes = new Setup(WaitStrategy.KEYSPACE, LockHandler.SCRIPT, Client.LETTUCE, 0).on(redis);
        one = process(NEVER);
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        processes.close();
        redis.close();
    }

    @Test
    void serverIsToldToTellAndNothingIsTakenAway() {
        await().untilAsserted(() -> assertThat(notifications())
                .contains("K")
                .contains("g")
                .contains("x")
                .contains("E")
                .contains("$"));
    }

    @Test
    void deletionOfTheKeyWakesTheWaiter() throws Exception {
        Lease held = access(one).acquire(42);
        CompletableFuture<Lease> waiter = waits(process(NEVER), 42);
        awaitWatched();
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void expiryOfTheKeyWakesTheWaiter() throws Exception {
        access(one).acquire(42);
        CompletableFuture<Lease> waiter = waits(process(NEVER), 42);
        awaitWatched();
        redis.command("PEXPIRE", KEY, "100");
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void keyThatWentBeforeTheSubscriptionStoodIsNotWaitedFor() throws Exception {
        access(one).acquire(42);
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels", "&lock:*");
        LockTemplate waiting = process(NEVER);
        redis.resetStats();
        CompletableFuture<Lease> waiter = waits(waiting, 42);
        await().until(() -> redis.commandStats().containsKey("evalsha"));
        redis.command("DEL", KEY);
        assertThat(watchers()).isZero();
        assertThat(waiter).isNotDone();
        redis.command("ACL", "SETUSER", Backend.USER, "allchannels");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        assertThat(waiter.get(15, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void lostEventCostsOneRecheck() throws Exception {
        access(one).acquire(42);
        CompletableFuture<Lease> waiter = waits(process(Duration.ofMillis(500)), 42);
        awaitWatched();
        redis.command("CONFIG", "SET", "notify-keyspace-events", "");
        redis.command("DEL", KEY);
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void oneConnectionOfAProcessListensForAllItsLocks() throws Exception {
        LockTemplate waiting = process(NEVER);
        await().until(() -> subscribers() == 2);
        List<Lease> held = new ArrayList<>();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int server = 0; server < 20; server++) {
            held.add(access(one).acquire(server));
            waiters.add(waits(waiting, server));
        }
        await().until(() -> ((List<?>) redis.command("PUBSUB", "CHANNELS", "__keyspace*")).size() == 20);
        assertThat(subscribers()).as("one of each process").isEqualTo(2);
        held.forEach(Lease::release);
        for (CompletableFuture<Lease> waiter : waiters) {
            assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        }
    }

    private LockTemplate process(Duration recheck) {
        return processes.startDeaf(builder -> builder.recheck(recheck)).template();
    }

    private static LockScope access(LockTemplate process) {
        return process.scope("server_access").expire(Duration.ofSeconds(60)).waitTime(Duration.ofSeconds(30));
    }

    private CompletableFuture<Lease> waits(LockTemplate process, int server) {
        CompletableFuture<Lease> waiter =
                CompletableFuture.supplyAsync(() -> access(process).acquire(server), threads);
        await().pollInterval(Duration.ofMillis(5)).until(() -> process.engine().awaitedNames() > 0);
        return waiter;
    }

    /** Returns when changes of the lock are going to be told. */
    private void awaitWatched() {
        await().until(() -> watchers() == 1 && notifications().contains("K"));
    }

    private long watchers() {
        return (Long) ((List<?>) redis.command("PUBSUB", "NUMSUB", CHANNEL)).get(1);
    }

    private long subscribers() {
        return redis.command("CLIENT", "LIST", "TYPE", "pubsub")
                .toString()
                .lines()
                .count();
    }

    private String notifications() {
        return ((List<?>) redis.command("CONFIG", "GET", "notify-keyspace-events"))
                .get(1)
                .toString();
    }
}
