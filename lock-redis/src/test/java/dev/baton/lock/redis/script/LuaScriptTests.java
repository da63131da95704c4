package dev.baton.lock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LuaScriptTests {

    static Stream<LuaScript> scripts() {
        return Stream.of(LuaScript.ACQUIRE, LuaScript.RELEASE, LuaScript.EXCHANGE, LuaScript.RENEW);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void sha1IsThatOfTheSentText(LuaScript script) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(script.text());

        assertThat(script.sha1()).isEqualTo(String.format("%040x", new BigInteger(1, digest)));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void everyIncludeIsReplacedByItsFile(LuaScript script) {
        assertThat(text(script)).doesNotContain("-- include");
        LuaScript.read(script.name())
                .lines()
                .filter(line -> line.startsWith("-- include "))
                .map(line -> line.substring("-- include ".length()))
                .forEach(library -> assertThat(text(script)).containsOnlyOnce(LuaScript.read(library)));
    }

    @Test
    void usualCasePrecedesTheLibraryThatItDoesNotUse() {
        for (LuaScript script : List.of(LuaScript.ACQUIRE, LuaScript.RELEASE)) {
            assertThat(text(script))
                    .containsSubsequence(
                            "\n-- usual case",
                            "\n-- end of the usual case\n",
                            LuaScript.read("lib/grant"),
                            "\n-- usual case",
                            "\n-- end of the usual case\n",
                            LuaScript.read("lib/queue"));
        }
        assertThat(text(LuaScript.EXCHANGE))
                .containsSubsequence(
                        LuaScript.read("lib/grant"),
                        "\n-- usual case",
                        "\n-- end of the usual case\n",
                        LuaScript.read("lib/queue"));
        assertThat(text(LuaScript.EXTEND)).doesNotContain(LuaScript.read("lib/grant"));
    }

    @Test
    void textOfALibraryIsIncludedUnchanged() {
        Map<String, String> files =
                Map.of("a", "-- A.\n\n-- include b\n-- include c\nreturn 1\n", "b", "b $1 \\\\", "c", "c");
        assertThat(LuaScript.resolve("a", files::get)).isEqualTo("-- A.\n\nb $1 \\\\\nc\nreturn 1\n");
    }

    @Test
    void libraryIsIncludedOnceAndIncludesNoOther() {
        Map<String, String> files = Map.of(
                "twice", "-- include b\n-- include b\n",
                "nested", "-- include outer\n",
                "outer", "-- include b\n",
                "b", "b");
        assertThatIllegalStateException()
                .isThrownBy(() -> LuaScript.resolve("twice", files::get))
                .withMessage("twice.lua includes b.lua twice; remove one of the lines");
        assertThatIllegalStateException()
                .isThrownBy(() -> LuaScript.resolve("nested", files::get))
                .withMessage(
                        "outer.lua, which nested.lua includes, includes another library; let nested.lua include both");
        assertThatIllegalStateException()
                .isThrownBy(() -> LuaScript.read("missing"))
                .withMessageContaining("script missing.lua is missing");
    }

    @Test
    void scriptsAreDistinct() {
        assertThat(scripts().map(LuaScript::sha1)).doesNotHaveDuplicates();
    }

    private static String text(LuaScript script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }
}
