package dev.baton.lock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LuaScriptTests {

    static Stream<LuaScript> scripts() {
        return Stream.of(LuaScript.ACQUIRE, LuaScript.END, LuaScript.EXCHANGE, LuaScript.RENEW);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void sha1IsThatOfTheTextThatIsSent(LuaScript script) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(script.text());

        assertThat(script.sha1()).isEqualTo(String.format("%040x", new BigInteger(1, digest)));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void fileOfTheNameEndsTheScript(LuaScript script) throws Exception {
        assertThat(text(script)).endsWith(file(script.name()) + "\n");
    }

    @Test
    void onlyWhatHandsOverHasTheHandOverInFrontAndTheUsualCasesStandFirst() throws Exception {
        assertThat(text(LuaScript.ACQUIRE))
                .isEqualTo(files(
                        "tokens",
                        "acquire_free",
                        "waiter",
                        "acquire_held",
                        "acquire_again",
                        "hand_over",
                        "join",
                        "acquire"));
        assertThat(text(LuaScript.EXCHANGE))
                .isEqualTo(files("tokens", "exchange_alone", "waiter", "next_waiter", "exchange_to_next")
                        + files("hand_over", "join", "exchange"));
        assertThat(text(LuaScript.END))
                .isEqualTo(files("end_alone", "tokens", "waiter", "next_waiter", "end_to_next", "hand_over", "end"));
        assertThat(text(LuaScript.RENEW)).isEqualTo(files("renew"));
    }

    @Test
    void scriptsAreDifferentOnes() {
        assertThat(scripts().map(LuaScript::sha1)).doesNotHaveDuplicates();
    }

    private static String text(LuaScript script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }

    private static String files(String... names) throws Exception {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(file(name)).append('\n');
        }
        return text.toString();
    }

    private static String file(String name) throws Exception {
        try (InputStream in = LuaScript.class.getResourceAsStream(name + ".lua")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
