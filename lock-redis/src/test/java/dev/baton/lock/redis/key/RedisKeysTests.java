package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.redis.Slots;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisKeysTests {

    private static final String ID = "0123456789abcdef01234567:17";

    private final RedisKeys keys = new RedisKeys("app");

    @Test
    void slotsAreThoseOfTheSpecification() {
        assertThat(Slots.crc16("123456789")).isEqualTo(0x31C3);
        assertThat(Slots.of("foo")).isEqualTo(12182);
        assertThat(Slots.hashed("{user1000}.following")).isEqualTo("user1000");
        assertThat(Slots.hashed("foo{}{bar}")).isEqualTo("foo{}{bar}");
        assertThat(Slots.hashed("foo{{bar}}zap")).isEqualTo("{bar");
        assertThat(Slots.hashed("foo{bar}{zap}")).isEqualTo("bar");
    }

    @Test
    void kindPrecedesTheName() {
        LockName name = new LockName("", "server_access.42");

        assertThat(keys.lock(name)).isEqualTo("app:lock:{server_access.42}");
        assertThat(keys.queue(name)).isEqualTo("app:queue:{server_access.42}");
        assertThat(keys.waiting(name)).isEqualTo("app:wait:{server_access.42}");
        assertThat(keys.over(name, ID)).isEqualTo("app:over:{server_access.42}:" + ID);
        assertThat(keys.fence()).isEqualTo("app:fence");
        assertThat(keys.inbox("0123"))
                .as("the result of sha1hex in Lua")
                .isEqualTo("app:inbox:c4b5c86bd577da3d93fea7c89cba61c78b48e589");
    }

    @Test
    void nestedNamespacePrecedesTheKind() {
        LockName name = new LockName("orders:eu", "s.1");

        assertThat(keys.lock(name)).isEqualTo("app:orders:eu:lock:{s.1}");
        assertThat(keys.over(name, ID)).isEqualTo("app:orders:eu:over:{s.1}:" + ID);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "s.*, app*:lock:*s.**",
                "*, app*:lock:***",
                "s.?, app*:lock:*s.**",
                "s.\\*, app*:lock:*s.\\**",
                "s.[a], app*:lock:*s.\\[a\\]*",
                "s.\\\\, app*:lock:*s.\\\\*"
            })
    void patternOfKeysMatchesAtLeastTheKeysOfTheNames(String pattern, String keyPattern) {
        assertThat(keys.locks("", new NamePattern(pattern))).isEqualTo(keyPattern);
    }

    @Test
    void patternOfKeysQuotesTheNamespaces() {
        assertThat(new RedisKeys("a*b").locks("c?d", new NamePattern("x"))).isEqualTo("a\\*b:c\\?d*:lock:*x*");
    }

    @Test
    void semaphoreHasKeysOfItsOwnBelowItsNamespace() {
        LockName name = new LockName("orders:eu", "s.1", true);
        assertThat(keys.lock(name)).isEqualTo("app:orders:eu:permits:lock:{s.1}");
        assertThat(keys.queue(name)).isEqualTo("app:orders:eu:permits:queue:{s.1}");
        assertThat(keys.over(name, ID)).isEqualTo("app:orders:eu:permits:over:{s.1}:" + ID);
        assertThat(keys.lock(new LockName("", "s.1", true))).isEqualTo("app:permits:lock:{s.1}");
        assertThat(keys.lockNames(List.of("app:permits:lock:{s.1}", "app:lock:{s.1}"), "", new NamePattern("*")))
                .containsExactly(new LockName("", "s.1", true), new LockName("", "s.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s.1", "s.{tenant}:7", "s.}{", "s.*?[a]", "s.line\nbreak", "s.:lock:", "s.{}{a}"})
    void everyLockKeyIsRecognizedAndNamesItsLock(String name) {
        for (String namespace : List.of("", "orders", "orders:eu")) {
            LockName lock = new LockName(namespace, name);
            assertThat(keys.isLock(keys.lock(lock))).isTrue();
            assertThat(keys.lockName(keys.lock(lock))).isEqualTo(lock);
            LockName semaphore = new LockName(namespace, name, true);
            assertThat(keys.lockName(keys.lock(semaphore))).isEqualTo(semaphore);
            assertThat(new RedisKeys("permits").lockName(new RedisKeys("permits").lock(semaphore)))
                    .isEqualTo(semaphore);
        }
    }

    @Test
    void otherKeysAreNoLockKeys() {
        LockName name = new LockName("", "s.1");
        assertThat(Stream.of(
                        keys.queue(name), keys.waiting(name), keys.over(name, ID), keys.fence(), "apple:lock:{s.1}"))
                .noneMatch(keys::isLock);
    }

    @ParameterizedTest
    @CsvSource({
        "s.{tenant}:7, s.{tenant}:7, tenant",
        "s.a{b}c{d}, s.a{b}c{d}, b",
        "s.{{a}}, s.{{a}}, {a",
        "s.{}{a}, {s.{}{a}}, s.{",
        "s.{, {s.{}, s.{",
        "s.}, {s.}}, s.",
        "s.}{, {s.}{}, s.",
        "s.{}, {s.{}}, s.{"
    })
    void nameWithATagOfItsOwnIsNotWrapped(String name, String tagged, String hashed) {
        String key = keys.lock(new LockName("", name));

        assertThat(key).isEqualTo("app:lock:" + tagged);
        assertThat(Slots.hashed(key)).isEqualTo(hashed);
    }

    @Test
    void allKeysOfANameAreInTheSameSlot() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            LockName name = name(random);
            String tag = Slots.hashed(keys.lock(name));

            assertThat(Stream.of(keys.queue(name), keys.waiting(name), keys.over(name, ID)))
                    .as("seed %d: %s", seed, name)
                    .allSatisfy(key -> assertThat(Slots.of(key)).isEqualTo(Slots.of(keys.lock(name))))
                    .allSatisfy(
                            key -> assertThat(Slots.hashed(key)).isEqualTo(tag).isNotEqualTo(key));
        }
    }

    @Test
    void differentNamesHaveDifferentKeys() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, LockName> owners = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            LockName name = name(random);
            for (String key : List.of(keys.lock(name), keys.queue(name), keys.waiting(name), keys.over(name, ID))) {
                assertThat(owners.merge(key, name, (old, now) -> old))
                        .as("seed %d: key '%s'", seed, key)
                        .isEqualTo(name);
            }
        }
        assertThat(owners).as("seed %d", seed).hasSizeGreaterThan(10_000).doesNotContainKey(keys.fence());
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "lock", "app:orders", "l"})
    void lockKeyLeadsBackToTheName(String root) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RedisKeys some = new RedisKeys(root);
        for (int i = 0; i < 20_000; i++) {
            LockName name = name(random);

            assertThat(some.lockName(some.lock(name))).as("seed %d", seed).isEqualTo(name);
        }
    }

    /** The scripts derive the other keys of a name from its lock key in this way. */
    @ParameterizedTest
    @ValueSource(strings = {"app", "lock", "queue", "app:orders", "l"})
    void otherKeysOfANameDifferInTheFirstKindOnly(String root) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RedisKeys some = new RedisKeys(root);
        for (int i = 0; i < 20_000; i++) {
            LockName name = name(random);
            String lock = some.lock(name);

            assertThat(lock.replaceFirst(":lock:", ":queue:"))
                    .as("seed %d", seed)
                    .isEqualTo(some.queue(name));
            assertThat(lock.replaceFirst(":lock:", ":wait:"))
                    .as("seed %d", seed)
                    .isEqualTo(some.waiting(name));
        }
    }

    @Test
    void locksWithTheSameTagAreInTheSameSlot() {
        int slot = Slots.of(keys.lock(tagged("account", 1)));

        for (LockName name : List.of(tagged("account", "2"), tagged("invoice", "x:y{z}"))) {
            assertThat(Stream.of(keys.lock(name), keys.queue(name), keys.waiting(name), keys.over(name, ID)))
                    .allMatch(key -> Slots.of(key) == slot);
        }
    }

    private static LockName tagged(String scope, Object part) {
        return new LockName(
                "", LockRequest.of(scope, LockNames.tagged("acme:eu", part)).name());
    }

    @Test
    void nameThatLooksLikeAKeyLeadsBackToItself() {
        for (String namespace : List.of("", "orders", "a.lock:locks")) {
            for (String scope : List.of("app:lock:x", ":lock:", "lock")) {
                LockName name = new LockName(
                        namespace,
                        LockRequest.of(scope, "{app:lock:{a}}", ":lock:").name());

                assertThat(keys.lockName(keys.lock(name))).isEqualTo(name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app:queue:{a.b}",
                "other:lock:{a.b}",
                "apple:lock:{a.b}",
                "xapp:lock:{a.b}",
                "app:lock:",
                "app:lock:{",
                "app:lock:{}",
                "app:lock:{a.b",
                "app:lock:a.b",
                "app::lock:{a.b}",
                "app",
                ""
            })
    void otherKeyIsRefused(String key) {
        assertThat(keys.isLock(key)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.lockName(key))
                .withMessage("'" + key + "' is not a lock key of namespace 'app'");
    }

    /**
     * Returns a random name of few characters, so that a flawed encoding would soon produce equal keys. One name in a
     * hundred is long.
     */
    private static LockName name(Random random) {
        List<String> namespaces = List.of("", "", "orders", "a:b", "locks:x");
        List<String> scopes = List.of("s", "s:lock", ":lock:", "queue");
        String alphabet = "{}{}:%.al\n*?[]\\";
        StringBuilder part = new StringBuilder(random.nextInt(100) == 0 ? "k".repeat(10_240) : "");
        do {
            random.ints(1 + random.nextInt(6), 0, alphabet.length()).forEach(i -> part.append(alphabet.charAt(i)));
        } while (part.toString().isBlank());
        String scope = scopes.get(random.nextInt(scopes.size()));
        return new LockName(
                namespaces.get(random.nextInt(namespaces.size())),
                LockRequest.of(scope, part).name());
    }
}
