package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.AclLog;
import dev.baton.lock.redis.DocumentedCommands;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code MONITOR} says that the applications of a test have sent, and their scripts: all connections but those of the test
 * itself. After a restart of the server it begins again.
 */
final class CommandWatch {

    private static final Pattern LINE =
            Pattern.compile("^[0-9.]+ \\[\\d+ (?:lua|\\S*:(\\d+))] \"(\\w+)\"(?: \"([^\"]*)\")?");
    private static final Set<String> WITH_SUBCOMMANDS = Set.of("acl", "client", "config", "pubsub", "script");
    /** By which {@link TestRedis} knows that a server has started; an application would be refused it. */
    private static final String STARTED = "info server";

    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final Set<String> sent = new ConcurrentSkipListSet<>();
    private final Set<String> marks = ConcurrentHashMap.newKeySet();
    private final TestRedis redis;
    private volatile @Nullable RespConnection connection;
    private volatile boolean ended;

    private CommandWatch(TestRedis redis) {
        this.redis = redis;
    }

    /** Begins to watch; returns when it does. */
    static CommandWatch over(TestRedis redis) {
        CommandWatch watch = new CommandWatch(redis);
        Thread thread = new Thread(watch::watch, "command-watch");
        thread.setDaemon(true);
        thread.start();
        watch.mark();
        return watch;
    }

    /** All commands so far, by the names of Redis's rights, such as {@code pubsub|numsub}. */
    SortedSet<String> sent() {
        mark();
        return new TreeSet<>(sent);
    }

    /** Ends watching. Fails if anything was sent that docs/operations.md does not list. */
    void endAndAssertOnlyListedCommands() {
        try {
            assertThat(DocumentedCommands.needed())
                    .as("commands that docs/operations.md lists")
                    .containsAll(without(sent(), DocumentedCommands.ofLibraries()));
        } finally {
            end();
        }
    }

    /**
     * As {@link #endAndAssertOnlyListedCommands()}, and no process may have tried what it has no right to; but for what client
     * libraries try.
     */
    void endAndAssertOnlyListedRights() {
        endAndAssertOnlyListedCommands();
        assertThat(AclLog.refused(redis))
                .as("what a user tried and may not, by ACL LOG")
                .allMatch(
                        right -> DocumentedCommands.ofLibraries().stream().anyMatch(known -> known.startsWith(right)));
    }

    private static List<String> without(Set<String> all, List<String> some) {
        return all.stream().filter(one -> !some.contains(one)).toList();
    }

    private void end() {
        ended = true;
        RespConnection open = connection;
        if (open != null) {
            open.close();
        }
    }

    /** Returns when everything that was sent before has been seen. */
    private void mark() {
        String mark = UUID.randomUUID().toString();
        await().atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    redis.command("ECHO", mark);
                    return marks.contains(mark);
                });
    }

    private void watch() {
        while (!ended) {
            try (RespConnection open = redis.connect()) {
                connection = open;
                open.command("MONITOR");
                while (!ended) {
                    saw(String.valueOf(open.read(SILENCE)));
                }
            } catch (UncheckedIOException broken) {
                // the server was restarted, or this has ended
                pause();
            }
        }
    }

    private void saw(String text) {
        Matcher line = LINE.matcher(text);
        if (!line.find()) {
            sent.add("not a line of MONITOR: " + text);
            return;
        }
        String command = line.group(2).toLowerCase(Locale.ROOT);
        String argument = Objects.toString(line.group(3), "").toLowerCase(Locale.ROOT);
        if (line.group(1) != null && redis.isOwn(Integer.parseInt(line.group(1)))) {
            marks.add(argument);
        } else if (!STARTED.equals(command + " " + argument)) {
            sent.add(WITH_SUBCOMMANDS.contains(command) ? command + "|" + argument : command);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
