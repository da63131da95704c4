package dev.baton.lock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.TestRedis;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoadedScriptTests {

    static Stream<LuaScript> scripts() {
        return Stream.of(LuaScript.ACQUIRE, LuaScript.RELEASE, LuaScript.RENEW);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void redisAndBatonUseTheSameNameForAScript(LuaScript script) {
        assertThat(TestRedis.shared().command("SCRIPT", "LOAD", text(script))).isEqualTo(script.sha1());
    }

    @Test
    void handOverPrecedesEachScriptThatIncludesIt() {
        assertThat(scripts().filter(script -> text(script).contains("local function choose(")))
                .isEqualTo(List.of(LuaScript.ACQUIRE, LuaScript.RELEASE));
    }

    private static String text(LuaScript script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }
}
