package dev.baton.lock.redis;

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
    void onlyWhatHandsOverHasTheHandOverInFrontAndTheUsualCaseStandsFirst() throws Exception {
        String both = file("hand_over") + "\n" + file("join") + "\n";
        assertThat(text(LuaScript.ACQUIRE)).isEqualTo(file("acquire_free") + "\n" + both + file("acquire") + "\n");
        assertThat(text(LuaScript.EXCHANGE)).isEqualTo(both + file("exchange") + "\n");
        assertThat(text(LuaScript.END))
                .isEqualTo(file("end_alone") + "\n" + file("hand_over") + "\n" + file("end") + "\n");
        assertThat(text(LuaScript.RENEW)).isEqualTo(file("renew") + "\n");
    }

    @Test
    void scriptsAreDifferentOnes() {
        assertThat(scripts().map(LuaScript::sha1)).doesNotHaveDuplicates();
    }

    private static String text(LuaScript script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }

    private static String file(String name) throws Exception {
        try (InputStream in = LuaScript.class.getResourceAsStream(name + ".lua")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
