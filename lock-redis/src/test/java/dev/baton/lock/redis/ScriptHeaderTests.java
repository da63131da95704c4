package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.ScriptHeader.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the header of each script matches its code. */
class ScriptHeaderTests {

    private static final List<String> NUMBERS = List.of("zero", "one", "two", "three", "four", "five", "six", "seven");
    private static final Pattern GROUP = Pattern.compile("(\\w+)_\\.\\.\\., (\\w+) per \\w+: (.*)");
    private static final Pattern SHAPE = Pattern.compile("\\{([^{}]+)}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize",
                "server",
                "lib/lock",
                "lib/grant",
                "lib/run",
                "lib/queue"
            })
    void firstLineIsASentence(String name) {
        assertThat(ScriptHeader.file(name).lines().findFirst().orElseThrow()).matches("-- [A-Z].*\\..*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void headerHasTheFourHeadingsInOrder(String name) {
        assertThat(ScriptHeader.of(name).sections().keySet()).containsExactly("KEYS", "ARGV", "REPLY", "EVENT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void everyKeyAndArgumentOfTheHeaderIsNamedInOrder(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        assertThat(header.named("KEYS")).isEqualTo(header.documented("KEYS"));
        assertThat(header.named("ARGV")).isEqualTo(header.documented("ARGV"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void everyKeyHasItsType(String name) {
        assertThat(ScriptHeader.of(name).sections().get("KEYS"))
                .allMatch(entry -> entry.matches("\\w+(_\\.\\.\\.)?, (hash|sorted set|string)(: .*)?|none"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void codeUsesAllNamesAndOnlyNames(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        assertThat(header.body()).doesNotContain("KEYS", "ARGV");
        assertThat(Stream.of("KEYS", "ARGV").flatMap(array -> header.named(array).stream()))
                .extracting(Parameter::name)
                .allSatisfy(local -> assertThat(header.body()).containsPattern("(?<![\\w.'])" + local + "(?!\\w)"));
    }

    @Test
    void librariesTakeParametersOnly() {
        assertThat(ScriptHeader.file("lib/lock")).doesNotContain("KEYS", "ARGV");
        assertThat(ScriptHeader.file("lib/grant")).doesNotContain("KEYS", "ARGV");
        assertThat(ScriptHeader.file("lib/run")).doesNotContain("KEYS", "ARGV");
        assertThat(ScriptHeader.file("lib/queue")).doesNotContain("KEYS", "ARGV");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acquire", "renew"})
    void repeatedArgumentsAreAsManyAsTheCodeReads(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        List<String> arguments = header.sections().get("ARGV");
        MatchResult group = GROUP.matcher(arguments.get(arguments.size() - 1))
                .results()
                .findFirst()
                .orElseThrow();
        int number = NUMBERS.indexOf(group.group(2));
        assertThat(group.group(3).split(";")).hasSize(number);
        assertThat(LuaText.all("\\b" + group.group(1) + "\\[([^]]+)]", header.body()))
                .hasSize(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void partsOfTheReplyAreExplainedInOrderAndReturned(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        List<String> reply = header.sections().get("REPLY");
        // the short reply of the usual case precedes the complete reply
        List<String> parts = LuaText.split(reply.get(0).replaceAll(".*\\{|}", ""));
        assertThat(reply.stream().skip(1).map(entry -> entry.split(",")[0])).isEqualTo(parts);
        String returned = LuaText.all("(?m)^return \\{(.*)}$", header.body()).get(0);
        assertThat(LuaText.split(returned)).hasSameSizeAs(parts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void everyShapeOfTheReplyIsCreated(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        List<List<String>> made = LuaText.lists(text(name));
        assertThat(shapes(header))
                .allSatisfy(shape -> assertThat(made)
                        .anyMatch(list -> list.get(0).startsWith("'")
                                ? list.get(0).equals("'" + shape.get(0) + "'")
                                : list.size() == shape.size()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void everyCreatedAnswerIsInTheHeader(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        assertThat(LuaText.lists(header.body()).stream()
                        .map(list -> list.get(0))
                        .filter(first -> first.startsWith("'")))
                .map(first -> first.replace("'", ""))
                .isSubsetOf(shapes(header).stream().map(shape -> shape.get(0)).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"release", "exchange", "await", "signal", "extend", "force_release", "force_acquire"})
    void answeredWordsAreThoseOfTheHeader(String name) {
        ScriptHeader header = ScriptHeader.of(name);
        String words = LuaText.all(
                        "what, one of ((?:\\w+, )*\\w+)",
                        header.sections().get("REPLY").get(1))
                .get(0);
        assertThat(LuaText.all("what = '(\\w+)'", header.body())).hasSameElementsAs(List.of(words.split(", ")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void publishedEventsAreThoseOfTheHeader(String name) {
        List<String> events = ScriptHeader.of(name).sections().get("EVENT");
        List<String> kinds = LuaText.all(": (\\w+ \\d+ )<", String.join(" ", events));
        assertThat(kinds).hasSize(events.equals(List.of("none")) ? 0 : events.size());
        // a script that only reads includes the hand-over, but does not call it
        String code = kinds.isEmpty() ? ScriptHeader.of(name).body() : text(name);
        assertThat(LuaText.all("'(\\w+ \\d+ )'", code)).containsExactlyInAnyOrderElementsOf(kinds);
        if (kinds.isEmpty()) {
            assertThat(code).doesNotContain("PUBLISH", "choose(");
        } else {
            assertThat(code).contains("'PUBLISH'");
        }
    }

    @Test
    void commandsAreThoseOfTheDocumentation() {
        Set<String> called = Stream.of(
                        "acquire",
                        "release",
                        "exchange",
                        "downgrade",
                        "await",
                        "signal",
                        "renew",
                        "extend",
                        "inspect",
                        "scan",
                        "force_release",
                        "force_acquire",
                        "tell_holders")
                .flatMap(name -> LuaText.commands(text(name)).stream())
                .collect(Collectors.toSet());
        called.addAll(List.of("evalsha", "eval"));
        assertThat(called).containsExactlyInAnyOrderElementsOf(DocumentedCommands.all());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "release",
                "exchange",
                "downgrade",
                "await",
                "signal",
                "renew",
                "extend",
                "inspect",
                "scan",
                "force_release",
                "force_acquire",
                "tell_holders",
                "resize"
            })
    void scriptBuildsNoKeysAndUsesOnlyTheClockOfRedis(String name) {
        String code = text(name);
        assertThat(LuaText.all("redis\\.p?call\\('(?!PUBSUB)\\w+', ('[^']*'|[^,)]*\\.\\.)", code))
                .isEmpty();
        assertThat(code).doesNotContain("os.", "math.random");
    }

    private static String text(String name) {
        return ScriptTexts.scripts()
                .filter(script -> script.name().equals(name))
                .map(script -> new String(script.text(), StandardCharsets.UTF_8))
                .findFirst()
                .orElseThrow();
    }

    private static List<List<String>> shapes(ScriptHeader header) {
        return header.sections().get("REPLY").stream()
                .flatMap(entry -> SHAPE.matcher(entry).results())
                .map(shape -> LuaText.split(shape.group(1)))
                .toList();
    }
}
