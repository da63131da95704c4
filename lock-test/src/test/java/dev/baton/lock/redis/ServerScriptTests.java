package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.test.RedisView;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What server.lua tells. */
@Tag("scripts")
class ServerScriptTests {

    private final RedisView redis = ScriptServer.redis();

    @Test
    void versionIsThatOfTheServerOrEmptyWhereAScriptCannotKnowIt() {
        String info = String.valueOf(redis.command("INFO", "server"));
        String version = info.replaceAll("(?s).*redis_version:([\\d.]+).*", "$1");
        assertThat(redis.command("EVAL", ScriptTexts.of(LuaScript.SERVER), "0"))
                .isEqualTo(List.of("redis", version.startsWith("6.") ? "" : version));
    }
}
