package dev.baton.lock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTests {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "*, server_access.42, true",
                "*, \"\", true",
                "server_access.*, server_access.42, true",
                "server_access.*, server_access., true",
                "server_access.*, server_accessx42, false",
                "server_access.4?, server_access.42, true",
                "server_access.4?, server_access.4, false",
                "server_access.4?, server_access.421, false",
                "*.42, server_access.42, true",
                "*.42, server_access.421, false",
                "*a*b*, xxaxxbxx, true",
                "*a*b*, xxbxxaxx, false",
                "a*b*c, abcbc, true",
                "a.\\*, a.*, true",
                "a.\\*, a.b, false",
                "a.\\\\, a.\\, true",
                "a.\\b, a.b, true",
                "a.[bc], a.[bc], true",
                "a.[bc], a.b, false",
                "A, a, false"
            })
    void nameMatchesThePatternOrNot(String pattern, String name, boolean matches) {
        assertThat(new NamePattern(pattern).matches(name)).isEqualTo(matches);
    }

    @Test
    void wildcardMatchesALineBreak() {
        assertThat(new NamePattern("a*c?d").matches("a\nb\r\nc\nd")).isTrue();
    }

    @Test
    void patternOfManyStarsMatchesQuickly() {
        assertThat(new NamePattern("*a".repeat(2_000)).matches("a".repeat(30_000) + "b"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\\", "a\\\\\\"})
    void blankOrIncompletePatternIsRefused(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> new NamePattern(pattern));
    }
}
