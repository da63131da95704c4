package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.harness.RedisErrorException;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.script.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the rights that a Redis user needs, and scripts of a user without the right to publish. */
@Tag("scripts")
class ScriptRightsTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void listedCommandsAndPatternsSuffice() {
        useAll(row, row.as("baton", "~lock:*", "resetchannels &lock:*", DocumentedCommands.rights()));
        assertThat(row.lock()).isEmpty();
    }

    /** Excludes the commands that the scripts call only if permitted. */
    static Stream<String> requiredCommands() {
        return DocumentedCommands.all().stream()
                .filter(command -> !List.of("eval", "publish", "pubsub|numsub").contains(command));
    }

    @ParameterizedTest
    @MethodSource("requiredCommands")
    void scriptsWithoutARightAreRefusedWithItsName(String command) {
        List<String> rest = new ArrayList<>(DocumentedCommands.all());
        rest.remove(command);
        LockRow user = row.as("baton", "~lock:*", "resetchannels &lock:*", DocumentedCommands.rules(rest));
        assertThatExceptionOfType(RedisErrorException.class)
                .as("without the right to " + command)
                .isThrownBy(() -> useAll(row, user))
                .satisfies(refusal -> assertThat(refused(refusal.getMessage())).contains("'" + command + "'"));
    }

    /** Returns the refused command. Inside a script, Redis names only the script and the line. */
    private static String refused(String message) {
        Matcher sha1 = Pattern.compile("[0-9a-f]{40}").matcher(message);
        Matcher line = Pattern.compile("@user_script:(\\d+)").matcher(message);
        if (!sha1.find() || !line.find()) {
            return message.toLowerCase(Locale.ROOT);
        }
        String script = ScriptTexts.all().stream()
                .filter(text ->
                        LuaScript.sha1(text.getBytes(StandardCharsets.UTF_8)).equals(sha1.group()))
                .findFirst()
                .orElseThrow();
        return script.lines().toList().get(Integer.parseInt(line.group(1)) - 1).toLowerCase(Locale.ROOT);
    }

    @Test
    void userWithoutPublishGrantsNoWaiter() {
        List<String> rest = new ArrayList<>(DocumentedCommands.all());
        rest.remove("publish");
        LockRow mute = row.as("mute", "~lock:*", "resetchannels &lock:*", DocumentedCommands.rules(rest));
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            mute.end("a:1");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.holder()).isEqualTo("none");
    }

    /** Makes the user run every command of the scripts. */
    static void useAll(LockRow row, LockRow user) {
        try (Inbox b = row.subscribe("b:1")) {
            user.acquire(waits("a:1"));
            ExtendScriptTests.extend(user, "a:1", 90_000, 32);
            user.acquire(waits("b:1"), polls("b:2"), tries("b:3"));
            user.acquire(waits("a:1"));
            user.renew("a:1", 90_000);
            user.end("a:1", 1_000);
            assertThat(b.messages()).hasSize(1);
            user.end("b:1");
            user.end("b:2");
            user.acquire(waits("a:1"));
            user.acquire(waits("c:1"));
            user.end("c:1");
            user.acquire(waits("d:1"));
            user.acquire(waits("c:2"));
            row.replaceProcess("c:2", "unreadable");
            user.end("d:1");
            user.acquire(waits("d:2"));
            user.acquire(waits("c:3"));
            user.exchange("d:2", 1_000, waits("d:3"));
            user.end("c:3");
            user.inspect(10);
            user.scan("0", "lock:lock:*", 10);
            ForceRow.force(user, waits("d:4"));
            ForceRow.tellHolders(user);
            user.forceRelease();
        }
    }

    @Test
    void waiterWithoutAPermittedMessageKeepsItsPlaceAndTheLockIsFree() {
        LockRow mute = row.as("mute", "~lock:*", "resetchannels", DocumentedCommands.rights());
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(mute.end("a:1").what()).isEqualTo("holder");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.lock()).isEmpty();
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(mute.acquire(waits("b:1")).answer()).startsWith("granted");
    }

    @Test
    void userWithoutPubsubReliesOnTheReceiversOfPublish() {
        LockRow user = blind();
        row.acquire(waits("a:1"));
        row.acquire(waits("deaf:1"), waits("deaf:2"), waits("deaf:3"));
        redis.resetStats();
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            user.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.queue()).containsExactly("deaf:1", "deaf:2", "deaf:3");
        assertThat(redis.commandStats()).as("one message per inbox").containsEntry("publish", 2L);
    }

    @Test
    void userWithoutPubsubIsNotReportedAsDeaf() {
        LockRow user = blind();
        row.acquire(waits("a:1"));
        for (int time = 0; time < 2; time++) {
            assertThat(user.acquire(waits("deaf:1")).deaf()).as("one waiter").isZero();
            redis.command("DEL", LockRow.WAIT);
            assertThat(user.acquire(waits("deaf:1"), waits("deaf:2")).deaf())
                    .as("several waiters")
                    .isZero();
            redis.command("DEL", LockRow.WAIT);
        }
        assertThat(row.acquire(waits("deaf:1"), waits("deaf:2")).deaf()).isOne();
    }

    private LockRow blind() {
        return row.as(
                "blind",
                "~lock:*",
                "resetchannels &lock:*",
                DocumentedCommands.rights().replace(" +pubsub|numsub", ""));
    }
}
