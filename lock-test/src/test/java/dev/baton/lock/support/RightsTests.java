package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.redis.DocumentedCommands;
import dev.baton.lock.test.RespConnection;
import dev.baton.lock.test.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes whose Redis user has the rights that docs/guarantees.md lists, or lacks one of them. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class RightsTests {

    private static final String USER = "baton";
    private static final Pattern MONITORED = Pattern.compile("^[0-9.]+ \\[.*?] \"(\\w+)\"(?: \"(\\w+)\")?");
    private static final Set<String> WITH_SUBCOMMANDS = Set.of("client", "pubsub");

    private final Backend backend;
    private TestRedis redis;
    private Processes processes;

    RightsTests(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void start() {
        redis = backend.startRedis();
        processes = new Processes(() -> backend.connect(redis.host(), redis.port(), USER), store -> {});
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.close();
    }

    @Test
    void listedRightsSufficeAndOnlyListedCommandsAreSent() throws Exception {
        allow(DocumentedCommands.needed());
        try (RespConnection monitor = redis.connect()) {
            monitor.command("MONITOR");
            Behaviour.run(processes, this::killSubscriptions);
            redis.command("ECHO", "end");
            Set<String> sent = sent(monitor);
            assertThat(sent).contains("evalsha", "eval", "subscribe", "unsubscribe", "publish");
            sent.remove("client|kill");
            assertThat(DocumentedCommands.needed()).containsAll(without(sent, DocumentedCommands.ofLibraries()));
        }
        assertThat(redis.keys()).allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:"));
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
    void withoutSubscribeNobodyIsTold() {
        allow(without(DocumentedCommands.needed(), List.of("subscribe")));
        Processes.Started started = processes.startDeaf(builder -> {});
        started.template().execute("x", 1, lease -> 1);
        await().during(Duration.ofMillis(300)).until(() -> !started.store().isListening());
        allow(DocumentedCommands.needed());
        await("with the right to subscribe").until(started.store()::isListening);
    }

    @Test
    void withoutSelectADatabaseThatIsNotTheFirstIsOutOfReach() {
        allow(without(DocumentedCommands.needed(), List.of("select")));
        LockTemplate template = processes.startDeaf(builder -> {}).template();
        if (backend.database() == 0) {
            template.execute("x", 1, lease -> 1);
        } else {
            assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofMillis(500))))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'select'");
        }
    }

    @Test
    void withoutUnsubscribeTheOldSubscriptionStays() {
        allow(without(DocumentedCommands.needed(), List.of("unsubscribe")));
        Processes.Started started = processes.startDeaf(builder -> {});
        await().until(started.store()::isListening);
        redis.command("ACL", "LOG", "RESET");
        started.template().close();
        await().untilAsserted(() ->
                assertThat(redis.command("ACL", "LOG").toString()).containsAnyOf("unsubscribe", "UNSUBSCRIBE"));
    }

    private void assertRefusedWithout(String command) {
        allow(without(DocumentedCommands.needed(), List.of(command)));
        LockTemplate template = processes.startDeaf(builder -> {}).template();
        assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("'" + command + "'");
    }

    private void allow(List<String> commands) {
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset", "on", ">" + USER));
        rules.addAll(List.of("~lock:*", "resetchannels", "&lock:*"));
        rules.addAll(List.of(DocumentedCommands.rules(commands).split(" ")));
        redis.command(rules.toArray(String[]::new));
    }

    private void killSubscriptions() {
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
    }

    /** All commands up to the ECHO of the test, by the names of Redis's rights. */
    private static Set<String> sent(RespConnection monitor) {
        Set<String> sent = new TreeSet<>();
        while (true) {
            Matcher line = MONITORED.matcher(String.valueOf(monitor.read()));
            if (!line.find()) {
                throw new AssertionError("Not a line of MONITOR");
            }
            String command = line.group(1).toLowerCase(Locale.ROOT);
            if (command.equals("echo")) {
                return sent;
            }
            boolean whole = !WITH_SUBCOMMANDS.contains(command);
            sent.add(
                    whole
                            ? command
                            : command + "|" + Objects.toString(line.group(2)).toLowerCase(Locale.ROOT));
        }
    }

    private static List<String> without(Collection<String> all, List<String> some) {
        return all.stream().filter(one -> !some.contains(one)).toList();
    }
}
