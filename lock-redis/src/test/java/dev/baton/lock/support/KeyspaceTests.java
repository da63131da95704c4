package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Waiting for what Redis tells of a key. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class KeyspaceTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(60));
    /** So long that it grants no waiter anything. */
    private static final Duration NEVER = Duration.ofSeconds(40);

    private static final Duration SOON = Duration.ofSeconds(3);

    private final Backend backend;
    private final String channel;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private TestRedis redis;
    private Processes holders;
    private Processes waiters;

    KeyspaceTests(Backend backend) {
        this.backend = backend;
        this.channel = "__keyspace@" + backend.database() + "__:" + LOCK;
    }

    @BeforeEach
    void start() {
        redis = backend.startOpenRedis();
        holders = new Processes(redis, backend);
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void stop() throws Exception {
        logger().detachAppender(log);
        if (waiters != null) {
            waiters.close();
        }
        holders.close();
        redis.close();
    }

    @Test
    void releaseWakesTheWaiterLongBeforeItAsks() throws Exception {
        Lease held = holders.start().acquire(X);
        CompletableFuture<Lease> waiter = waits(waiter(NEVER));
        awaitWatched();
        held.release();
        assertThat(waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS).release()).isTrue();
    }

    @Test
    void expiryWakesTheWaiterLongBeforeItAsks() throws Exception {
        holders.start().acquire(X);
        CompletableFuture<Lease> waiter = waits(waiter(NEVER));
        awaitWatched();
        redis.command("PEXPIRE", LOCK, "100");
        assertThat(waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS).release()).isTrue();
    }

    @Test
    void renewalsWakeNoWaiter() throws Exception {
        Lease held = holders.start().acquire(X);
        LockTemplate waiting = waiter(NEVER);
        redis.resetStats();
        CompletableFuture<Lease> waiter = waits(waiting);
        // it asks once more when its subscription stands
        await().until(() -> redis.commandStats().getOrDefault("evalsha", 0L) == 2);
        redis.resetStats();
        for (int i = 1; i <= 20; i++) {
            assertThat(held.renew(Duration.ofSeconds(60 + i))).isTrue();
        }
        settle(waiting);
        assertThat(redis.commandStats().get("evalsha")).as("renewals only").isEqualTo(20L);
        held.release();
        waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS).release();
    }

    @Test
    void whatHappensWhileTheSubscriptionIsLostIsFoundOnceItStands() throws Exception {
        holders.start().acquire(X);
        CompletableFuture<Lease> waiter = waits(waiter(NEVER));
        awaitWatched();
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels", "&lock:*");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        await().until(() -> redis.command("PUBSUB", "NUMSUB", channel).equals(List.of(channel, 0L)));
        redis.command("DEL", LOCK);
        redis.command("ACL", "SETUSER", Backend.USER, "allchannels");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        assertThat(waiter.get(10, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void withoutASubscriptionAFreeLockIsFoundWithinOneRecheck() throws Exception {
        holders.start().acquire(X);
        CompletableFuture<Lease> waiter = waits(waiter(Duration.ofMillis(600)));
        awaitWatched();
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        await().until(() -> redis.command("PUBSUB", "NUMSUB", channel).equals(List.of(channel, 0L)));
        long freed = System.nanoTime();
        redis.command("DEL", LOCK);
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(Duration.ofMillis(1_600));
    }

    @Test
    void lockWithoutWaitersHasNoSubscription() throws Exception {
        LockTemplate waiting = waiter(NEVER);
        Lease held = holders.start().acquire(X);
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Lease> waiter = waits(waiting);
            awaitWatched();
            assertThat(waiting.tryAcquire(X.waitTime(Duration.ofSeconds(1)))).isEmpty();
            held.release();
            held = waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
            await().untilAsserted(() -> assertThat(redis.command("PUBSUB", "CHANNELS", "__keyspace*{x.global}"))
                    .isEqualTo(List.of()));
        }
        assertThat(waiting.tryAcquire(LockRequest.of("y"))).isPresent();
        held.release();
    }

    @Test
    void whatIsMissingIsAddedToTheNotificationsAndNothingIsTakenAway() {
        redis.command("CONFIG", "SET", "notify-keyspace-events", "E$x");
        waiter(NEVER);
        await().untilAsserted(() -> assertThat(flags())
                .contains("K")
                .contains("g")
                .contains("x")
                .contains("E")
                .contains("$"));
    }

    @Test
    void restartedRedisIsConfiguredAgain() {
        waiter(NEVER);
        await().untilAsserted(() -> assertThat(flags()).contains("K"));
        redis.restart();
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(flags()).contains("K"));
    }

    @Test
    void notificationsAreLeftAloneIfToldSo() throws Exception {
        holders.start().acquire(X);
        LockTemplate waiting = waiter(Duration.ofMillis(500), store -> store.configureKeyspace(false));
        CompletableFuture<Lease> waiter = waits(waiting);
        awaitWatched();
        redis.command("DEL", LOCK);
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        assertThat(flags()).isEmpty();
    }

    @Test
    void refusedConfigurationIsReportedOnceAndLocksAreFoundByAsking() throws Exception {
        user("&lock:*", "&__keyspace@*", "+@all", "-config");
        holders.start().acquire(X);
        CompletableFuture<Lease> waiter = waits(userProcess(Duration.ofMillis(500)));
        awaitWatched();
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        awaitWatched();
        redis.command("DEL", LOCK);
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        await().untilAsserted(() -> assertThat(warnings())
                .singleElement()
                .asString()
                .contains("refused CONFIG (NOPERM")
                .contains("baton.keyspace.configure to false"));
        assertThat(flags()).isEmpty();
    }

    @Test
    void refusedChannelIsReportedOnceAndLocksAreFoundByAsking() throws Exception {
        user("&lock:*", "+@all");
        holders.start().acquire(X);
        CompletableFuture<Lease> waiter = waits(userProcess(Duration.ofMillis(500)));
        await().untilAsserted(() -> assertThat(warnings())
                .singleElement()
                .asString()
                .contains("NOPERM")
                .contains("'&__keyspace@*'"));
        redis.command("DEL", LOCK);
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        redis.command("ACL", "SETUSER", "user", "&__keyspace@*");
        holders.other().acquire(X);
        CompletableFuture<Lease> next = waits(waiters.other());
        awaitWatched();
        next.cancel(true);
    }

    private void user(String... rules) {
        List<String> command =
                new ArrayList<>(List.of("ACL", "SETUSER", "user", "reset", "on", ">user", "~lock:*", "resetchannels"));
        command.addAll(List.of(rules));
        redis.command(command.toArray(String[]::new));
    }

    private LockTemplate userProcess(Duration recheck) {
        waiters = new Processes(
                () -> backend.connect(redis.host(), redis.port(), "user"),
                store -> store.waitStrategy(WaitStrategy.KEYSPACE));
        return waiters.startDeaf(builder -> builder.recheck(recheck)).template();
    }

    private LockTemplate waiter(Duration recheck) {
        return waiter(recheck, store -> {});
    }

    private LockTemplate waiter(Duration recheck, Consumer<RedisLockStore.Builder> settings) {
        waiters = new Processes(
                () -> backend.connect(redis.host(), redis.port()),
                settings.andThen(store -> store.waitStrategy(WaitStrategy.KEYSPACE)));
        return waiters.start(builder -> builder.recheck(recheck));
    }

    private static CompletableFuture<Lease> waits(LockTemplate process) {
        return CompletableFuture.supplyAsync(
                () -> process.acquire(X.waitTime(Duration.ofSeconds(30))), task -> new Thread(task).start());
    }

    /** Returns when changes of the lock are going to be told. */
    private void awaitWatched() {
        await().until(() -> redis.command("PUBSUB", "NUMSUB", channel).equals(List.of(channel, 1L)));
    }

    /** Returns when what was told until now has been asked. */
    private static void settle(LockTemplate process) throws Exception {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            process.engine().executors().onAsker(TimeUnit.MILLISECONDS.toNanos(50), () -> done.complete(null));
            done.get(5, TimeUnit.SECONDS);
        }
    }

    private String flags() {
        return ((List<?>) redis.command("CONFIG", "GET", "notify-keyspace-events"))
                .get(1)
                .toString();
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(RedisLockStore.class.getPackageName());
    }
}
