package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockNamesTests {

    @ParameterizedTest
    @ValueSource(
            strings = {"server_access", "com.acme.OrderService.close", "a:b", "lock", "50%", "two words", "Schlüssel"})
    void scopeMayBeAnyTextOfOneLine(String scope) {
        assertThat(LockNames.checkScope(scope)).isEqualTo(scope);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void blankScopeIsRefused(String scope) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkScope(scope))
                .withMessage("scope is blank; name what kind of thing is locked");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "a}",
                "a{b}",
                "a\nb",
                "a\u0000",
                "\u0085x",
                "a\u007f",
                " a",
                "a ",
                "a\u2003",
                "a\u2028b",
                "a\u2029b"
            })
    void scopeWithBraceControlCharacterOrSpaceAtAnEndIsRefused(String scope) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkScope(scope))
                .withMessage(
                        "scope '" + LockNames.printable(scope)
                                + "' contains a brace, a control character, or leading or trailing white space; put what varies into the key, which may contain any character");
    }

    @Test
    void nullIsNoScope() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkScope(null))
                .withMessage("scope is null; name what kind of thing is locked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "queue", "app", "app:orders", "lock:orders:eu", "app:locks", "app:Lock"})
    void namespaceIsNamesSeparatedByColons(String namespace) {
        assertThat(LockNames.checkNamespace(namespace)).isEqualTo(namespace);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders:eu", "locks", "Lock", "a.lock"})
    void nestedNamespaceIsNamesSeparatedByColons(String namespace) {
        assertThat(LockNames.checkNestedNamespace(namespace)).isEqualTo(namespace);
    }

    @ParameterizedTest
    @ValueSource(strings = {":", ":a", "a:", "a::b", "::"})
    void emptyNameInANamespaceIsRefused(String namespace) {
        String message = "namespace '" + namespace
                + "' contains an empty name; write names separated by single colons, as 'lock:orders'";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkNamespace(namespace))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkNestedNamespace(namespace))
                .withMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a{b}", "{a}:b", "a\r", "a:b "})
    void namespaceWithBraceControlCharacterOrSpaceAtAnEndIsRefused(String namespace) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkNamespace(namespace))
                .withMessageStartingWith("namespace ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkNestedNamespace(namespace))
                .withMessageStartingWith("namespace ");
    }

    @Test
    void longNamespaceIsRefused() {
        assertThat(LockNames.checkNamespace("n".repeat(1_024))).hasSize(1_024);
        for (Consumer<String> check :
                List.<Consumer<String>>of(LockNames::checkNamespace, LockNames::checkNestedNamespace)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> check.accept("n".repeat(1_025)))
                    .withMessage(
                            "a namespace of 1025 characters is too long (at most 1024); put what varies into the key");
        }
    }

    /** Redis would store different halves as question marks, and so as one name. */
    @ParameterizedTest
    @ValueSource(strings = {"a\uD83D", "\uDE00a", "\uDE00\uD83D", "a\uD83Db"})
    void halfOfASurrogatePairIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.checkScope(text))
                .withMessageEndingWith("contains half of a surrogate pair; use whole characters");
        assertThatIllegalArgumentException().isThrownBy(() -> LockNames.checkNestedNamespace(text));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("x", text))
                .withMessage(
                        "key part 1 of scope 'x' contains half of a surrogate pair, which Redis could not tell from others; cut"
                                + " texts between whole characters");
    }

    @Test
    void surrogatePairIsACharacter() {
        assertThat(LockRequest.of("\uD83D\uDE00", "a\uD83D\uDE00b").name()).isEqualTo("\uD83D\uDE00.a\uD83D\uDE00b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "queue", "wait", "over", "fence", "inbox", "permits", "cond-wait"})
    void nameOfAKeyKindIsRefusedExceptAsTheFirst(String kind) {
        assertThat(LockNames.checkNamespace(kind)).isEqualTo(kind);
        for (String namespace : List.of("a:" + kind, "a:" + kind + ":b", kind + ":" + kind)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockNames.checkNamespace(namespace))
                    .withMessage("namespace '" + namespace + "' contains the name '" + kind
                            + "', which Baton's own keys use; choose another");
        }
        for (String namespace : List.of(kind, kind + ":a", "a:" + kind)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockNames.checkNestedNamespace(namespace))
                    .withMessage("namespace '" + namespace + "' contains the name '" + kind
                            + "', which Baton's own keys use; choose another");
        }
    }

    @Test
    void partsAreJoinedByColonsAndTheirOwnColonsAndDotsAreEncoded() {
        assertThat(LockNames.join("s", List.of("a:b", "%", "c.d"))).isEqualTo("s.a%3Ab:%25:c%2Ed");
    }

    @Test
    void scopeEndsAtTheLastDot() {
        assertThat(LockNames.join("a", List.of("b.c"))).isEqualTo("a.b%2Ec");
        assertThat(LockNames.join("a.b", List.of("c"))).isEqualTo("a.b.c");
        assertThat(LockNames.join("a", List.of("b%2Ec"))).isEqualTo("a.b%252Ec");
    }

    @Test
    void hashTagPrecedesThePart() {
        assertThat(LockNames.tagged("acme", 42)).isEqualTo("{acme}42");
        assertThat(LockRequest.of("account", LockNames.tagged("acme", 42)).name())
                .isEqualTo("account.{acme}42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "a}", "{a}"})
    void tagThatRedisWouldNotRecognizeIsRefused(String tag) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.tagged(tag, 42))
                .withMessage("hash tag '" + tag + "' is empty or contains a brace; name what the locks have in common");
    }

    @Test
    void partAfterATagIsChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.tagged("acme", null))
                .withMessageContaining("key part with hash tag 'acme'");
    }

    @Test
    void controlCharactersArePrintedAsEscapes() {
        assertThat(LockNames.printable("a\nb\r\tc\u0000\u001b\u0085\u2028\u2029"))
                .isEqualTo("a\\nb\\r\\tc\\u0000\\u001b\\u0085\\u2028\\u2029");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders.42", "Schlüssel \\n", "\uD83D\uDE00"})
    void textWithoutControlCharactersIsPrintedUnchanged(String text) {
        assertThat(LockNames.printable(text)).isSameAs(text);
    }

    /** Another process, for example one of an older version, may have written the label. */
    @Test
    void labelsArePrintable() {
        assertThat(new LockHolder("web-3:4711/a\nb", "o:a\nb", 7, Duration.ZERO, Duration.ZERO))
                .hasToString("web-3:4711/a\\nb for 0 ms, 0 ms of its lease left")
                .extracting(LockHolder::owner)
                .isEqualTo("o:a\nb");
        assertThat(new LockWaiter("web-3:4711/a\nb", "o:a\nb", Duration.ZERO)).hasToString("web-3:4711/a\\nb for 0 ms");
    }

    @Test
    void messageOfAStoreFailureIsOneLine() {
        assertThat(new StoreException("lock 'a\nb' was refused", false, null)).hasMessage("lock 'a\\nb' was refused");
    }
}
