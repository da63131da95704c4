package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.AclLog;
import dev.baton.lock.redis.DocumentedCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes whose Redis user has the rights that docs/operations.md lists, or lacks one of them. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class RightsTests {

    private final Backend backend;
    private TestRedis redis;
    private Processes processes;
    private LockHandler handler = LockHandler.AUTO;

    RightsTests(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void start() {
        redis = backend.startRedis();
        processes = new Processes(() -> backend.connect(redis.host(), redis.port()), store -> store.handler(handler));
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.close();
    }

    @Test
    void listedRightsSufficeAndOnlyListedCommandsAreSent() throws Exception {
        CommandWatch watch = CommandWatch.over(redis);
        Behaviour.run(processes, this::killSubscriptions);
        assertThat(watch.sent()).contains("evalsha", "eval", "subscribe", "unsubscribe", "publish");
        watch.endAndAssertOnlyListedRights();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void documentedLinesGiveTheListedRights() {
        List<?> listed = rightsOfTheUser();
        DocumentedCommands.lines().forEach(line -> redis.command(line.split(" ")));
        assertThat(rightsOfTheUser().toString()).isEqualTo(listed.toString());
    }

    /** Returns the commands, keys and channels of the user. */
    private List<?> rightsOfTheUser() {
        List<?> user = (List<?>) redis.command("ACL", "GETUSER", Backend.USER);
        return user.subList(user.indexOf("commands"), user.size());
    }

    @Test
    void withoutEvalshaEveryLockIsRefused() {
        assertRefusedWithout("evalsha");
    }

    @Test
    void withoutEvalTheFirstLockIsRefused() {
        assertRefusedWithout("eval");
    }

    @Test
    void withoutSubscribeNoWaiterIsNotifiedAndTheLogNamesIt() {
        assertDeafUntilAllowed(() -> Backend.allow(redis, without(DocumentedCommands.needed(), List.of("subscribe"))));
        assertThat(AclLog.refused(redis)).contains("subscribe");
    }

    @Test
    void withoutTheChannelsNoWaiterIsNotifiedAndTheLogNamesThem() {
        assertDeafUntilAllowed(() -> redis.command("ACL", "SETUSER", Backend.USER, "resetchannels"));
        assertThat(AclLog.refused(redis)).anyMatch(object -> object.startsWith("lock:inbox:"));
    }

    @Test
    void withoutTheKeysEveryLockIsRefused() {
        redis.command("ACL", "SETUSER", Backend.USER, "resetkeys", "~other:*");
        LockTemplate template = processes.startDeaf(builder -> {}).template();
        assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("keys");
        assertThat(AclLog.refused(redis)).anyMatch(object -> object.startsWith("lock:"));
    }

    @Test
    void withoutScanLocksAreNotListed() {
        handler = LockHandler.SCRIPT;
        Backend.allow(redis, without(DocumentedCommands.needed(), List.of("scan")));
        LockTemplate template = processes.startDeaf(builder -> {}).template();
        try (Lease lease = template.acquire(LockRequest.of("x"))) {
            assertThatThrownBy(() -> template.list("*", null).toList())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("scan.lua")
                    .hasMessageContaining("+scan");
            assertThat(lease.renew()).isTrue();
        }
    }

    /** A server that refuses keys which a script computes lacks shared locks, not exclusive ones. */
    @Test
    void exclusiveLocksOfOneNameUseDeclaredKeysOnly() throws Exception {
        handler = LockHandler.SCRIPT;
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", Backend.USER, "resetkeys", "~lock:fence"));
        List.of("lock", "queue", "wait", "over").forEach(kind -> rules.add("~lock:" + kind + ":*"));
        redis.command(rules.toArray(String[]::new));
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        Lease lease = one.acquire(LockRequest.of("x"));
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                () -> other.execute(LockRequest.of("x").waitUnbounded(), Lease::renew));
        processes.awaitWaiting(1);
        assertThat(lease.release()).isTrue();
        assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(AclLog.refused(redis)).noneMatch(object -> object.startsWith("lock:"));
        assertThatThrownBy(() -> one.acquire(LockRequest.of("x").mode(LockMode.SHARED)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("rights");
        assertThat(AclLog.refused(redis)).anyMatch(object -> object.startsWith("lock:reader"));
    }

    private void assertDeafUntilAllowed(Runnable takeAway) {
        takeAway.run();
        try (Warnings warnings = new Warnings("dev.baton.lock.redis.pubsub.GrantMessages")) {
            Processes.Started started = processes.startDeaf(builder -> {});
            started.template().execute("x", 1, lease -> 1);
            // several tries, one warning
            await().during(Duration.ofMillis(900)).until(() -> !started.store().isListening());
            assertThat(warnings.texts())
                    .singleElement(as(STRING))
                    .contains("may not subscribe to lock:inbox:")
                    .contains("NOPERM")
                    .contains("+subscribe and &lock:*")
                    .contains("baton.recheck");
            Backend.allow(redis, DocumentedCommands.needed());
            await("with the right").until(started.store()::isListening);
            takeAway.run();
            started.store().listenAgain();
            await("told of it again").until(() -> warnings.texts().size() == 2);
        }
    }

    @Test
    void withoutSelectADatabaseThatIsNotTheFirstIsOutOfReach() {
        Backend.allow(redis, without(DocumentedCommands.needed(), List.of("select")));
        LockTemplate template = processes.startDeaf(builder -> {}).template();
        if (backend.database() == 0) {
            template.execute("x", 1, lease -> 1);
        } else {
            assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofMillis(1_500))))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'select'");
        }
    }

    @Test
    void withoutUnsubscribeTheOldSubscriptionStays() {
        Backend.allow(redis, without(DocumentedCommands.needed(), List.of("unsubscribe")));
        Processes.Started started = processes.startDeaf(builder -> {});
        await().until(started.store()::isListening);
        AclLog.clear(redis);
        started.template().close();
        await().untilAsserted(() -> assertThat(AclLog.refused(redis)).contains("unsubscribe"));
    }

    private void assertRefusedWithout(String command) {
        handler = LockHandler.SCRIPT;
        Backend.allow(redis, without(DocumentedCommands.needed(), List.of(command)));
        LockTemplate template = processes.startDeaf(builder -> {}).template();
        assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("'" + command + "'");
    }

    private void killSubscriptions() {
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
    }

    private static List<String> without(Collection<String> all, List<String> some) {
        return all.stream().filter(one -> !some.contains(one)).toList();
    }
}
