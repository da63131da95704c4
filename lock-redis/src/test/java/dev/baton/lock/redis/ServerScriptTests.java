package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.script.LuaScript;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the reply of server.lua. */
@Tag("scripts")
class ServerScriptTests {

    private final RedisView redis = ScriptServer.redis();

    @Test
    void versionIsThatOfTheServerOrEmptyIfUnknownToScripts() {
        String info = String.valueOf(redis.command("INFO", "server"));
        String version = info.replaceAll("(?s).*redis_version:([\\d.]+).*", "$1");
        assertThat(reply().subList(0, 2)).isEqualTo(List.of("redis", version.startsWith("6.") ? "" : version));
    }

    @Test
    void timeIsThatOfTheServer() {
        List<?> before = (List<?>) redis.command("TIME");
        List<?> told = reply().subList(2, 4);
        List<?> after = (List<?>) redis.command("TIME");
        assertThat(micros(told)).isBetween(micros(before), micros(after));
    }

    private List<?> reply() {
        return (List<?>) redis.command("EVAL", ScriptTexts.of(LuaScript.SERVER), "0");
    }

    private static long micros(List<?> time) {
        return Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
    }
}
