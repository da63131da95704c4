package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.redis.DocumentedCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Locks where scripts are forbidden. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class TransactionHandlerTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");
    private static final Duration NEVER = Duration.ofSeconds(40);

    private final Backend backend;
    private final List<AutoCloseable> open = new ArrayList<>();

    TransactionHandlerTests(Backend backend) {
        this.backend = backend;
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void listedRightsSufficeAndTheWaiterIsTold() throws Exception {
        TestRedis redis = redis();
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", "plain", "reset", "on", ">plain"));
        rules.addAll(List.of("~lock:*", "resetchannels", "&lock:*"));
        DocumentedCommands.ofTransactions().forEach(command -> rules.add("+" + command));
        rules.addAll(List.of("+subscribe", "+unsubscribe", "+select"));
        redis.command(rules.toArray(String[]::new));
        Processes processes = processes(redis, LockHandler.TRANSACTION, "plain");
        LockTemplate one = processes.start(builder -> builder.recheck(NEVER));
        LockTemplate other = processes.start(builder -> builder.recheck(NEVER));
        Lease held = one.acquire(X);
        CompletableFuture<Lease> waiter =
                CompletableFuture.supplyAsync(() -> other.acquire(X.waitTime(Duration.ofSeconds(20))));
        await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
        assertThat(held.renew(Duration.ofSeconds(90))).isTrue();
        held.release();
        Lease next = waiter.get(3, TimeUnit.SECONDS);
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(next.release()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
        Lease both = one.acquire(LockRequest.ofAll("k", List.of("a", "b")));
        assertThat(other.isLocked(LockRequest.of("k", "b"))).isTrue();
        assertThat(other.list("k.*")).hasSize(2);
        assertThat(other.forceRelease(LockRequest.of("k", "a"))).isTrue();
        await().until(() -> !both.isHeld());
        await().until(() -> redis.lastingKeys().equals(Set.of("lock:fence")));
    }

    @Test
    void refusedScriptsMakeItAutomatic() {
        TestRedis redis = redis();
        redis.command("ACL", "SETUSER", "plain", "on", ">plain", "~lock:*", "&*", "+@all", "-@scripting");
        assertFallsBack(redis, "plain");
    }

    @Test
    void missingScriptCommandsMakeItAutomatic() {
        TestRedis redis = redis("rename-command EVAL \"\"", "rename-command EVALSHA \"\"");
        redis.command("ACL", "SETUSER", "plain", "on", ">plain", "~lock:*", "&*", "+@all");
        assertFallsBack(redis, "plain");
    }

    @Test
    void forbiddenTextOfAScriptMakesItAutomatic() {
        TestRedis redis = redis();
        redis.command("ACL", "SETUSER", "plain", "on", ">plain", "~lock:*", "&*", "+@all", "-eval");
        assertFallsBack(redis, "plain");
    }

    private void assertFallsBack(TestRedis redis, String user) {
        Processes.Started started = processes(redis, LockHandler.AUTO, user).startDeaf(builder -> {});
        assertThat(started.store().handler()).isEqualTo(LockHandler.AUTO);
        try (Lease lease = started.template().acquire(X)) {
            assertThat(started.store().handler()).isEqualTo(LockHandler.TRANSACTION);
            assertThat(lease.renew()).isTrue();
            assertThat(started.store().traits().reservesTokens()).isFalse();
        }
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(0L);
    }

    @Test
    void questionAsTheFirstCommandDecidesAsWell() {
        TestRedis redis = redis();
        redis.command("ACL", "SETUSER", "plain", "on", ">plain", "~lock:*", "&*", "+@all", "-@scripting");
        Processes.Started started = processes(redis, LockHandler.AUTO, "plain").startDeaf(builder -> {});
        assertThat(started.template().isLocked(X)).isFalse();
        assertThat(started.store().handler()).isEqualTo(LockHandler.TRANSACTION);
    }

    @Test
    void permittedScriptsAreUsed() {
        TestRedis redis = redis();
        Processes.Started started =
                processes(redis, LockHandler.AUTO, "default").startDeaf(builder -> {});
        started.template().execute("x", 1, lease -> 1);
        assertThat(started.store().handler()).isEqualTo(LockHandler.SCRIPT);
        assertThat(started.store().traits().reservesTokens()).isTrue();
    }

    @Test
    void withoutRightsForEitherTheRefusalIsNamed() {
        TestRedis redis = redis();
        redis.command(
                "ACL", "SETUSER", "plain", "on", ">plain", "~lock:*", "&*", "+@all", "-@scripting", "-@transaction");
        LockTemplate template = processes(redis, LockHandler.AUTO, "plain")
                .startDeaf(builder -> {})
                .template();
        assertThatThrownBy(() -> template.acquire(X.waitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("transaction on lock 'x.global'");
    }

    /** More of them than transactions have threads, each of which may be kept for longer by a client that blocks. */
    @Test
    void reactiveWaitsEndInTimeWhileRedisHangs() {
        TestRedis redis = redis();
        Processes processes = processes(redis, LockHandler.TRANSACTION, "default");
        ReactiveLockTemplate reactive = new ReactiveLockTemplate(processes.start());
        processes.other().acquire(X);
        assertThat(reactive.execute(LockRequest.of("warm-up"), lease -> Mono.just(true))
                        .block())
                .isTrue();
        LockRequest brief = X.waitTime(Duration.ofMillis(400));
        redis.pause();
        try {
            long asked = System.nanoTime();
            List<Throwable> refusals = Flux.range(0, 16)
                    .flatMap(i -> Flux.from(
                                    i % 2 == 0
                                            ? reactive.execute(brief, lease -> Mono.just(true))
                                            : reactive.executeMany(brief, lease -> Mono.just(true)))
                            .then(Mono.<Throwable>empty())
                            .onErrorResume(Mono::just))
                    .collectList()
                    .block(Duration.ofSeconds(20));
            // a command of Jedis ends after two seconds
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .isBetween(Duration.ofMillis(350), Duration.ofMillis(1_500));
            assertThat(refusals).hasSize(16).hasOnlyElementsOfType(LockStoreException.class);
        } finally {
            redis.resume();
        }
    }

    private TestRedis redis(String... settings) {
        TestRedis redis = backend.startOpenRedis(settings);
        open.add(redis);
        return redis;
    }

    private Processes processes(TestRedis redis, LockHandler handler, String user) {
        Processes processes = new Processes(
                () -> user.equals("default")
                        ? backend.connect(redis.host(), redis.port())
                        : backend.connect(redis.host(), redis.port(), user),
                store -> store.handler(handler));
        open.add(processes);
        return processes;
    }
}
