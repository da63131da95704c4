package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LockRequestTests {

    private static final LockRequest FULL =
            full("orders", 7, WaitTime.of(Duration.ofSeconds(3)), Renewal.ALWAYS, false);

    static Stream<Arguments> names() {
        return Stream.of(
                Arguments.of(LockRequest.of("server_access"), "server_access.global"),
                Arguments.of(LockRequest.of("server_access", 42), "server_access.42"),
                Arguments.of(LockRequest.of("invoice", "acme", 7), "invoice.acme:7"),
                Arguments.of(LockRequest.of("invoice", "acme:7"), "invoice.acme%3A7"),
                Arguments.of(LockRequest.of("invoice", "acme%3A7"), "invoice.acme%253A7"),
                Arguments.of(LockRequest.of("url", "http://x/{id}?q=a b"), "url.http%3A//x/{id}?q=a b"),
                Arguments.of(LockRequest.of("a", "b.c"), "a.b%2Ec"),
                Arguments.of(LockRequest.of("a.b", "c"), "a.b.c"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void nameIsScopeAndKey(LockRequest request, String name) {
        assertThat(request.name()).isEqualTo(name);
    }

    @Test
    void differentPartsNeverMakeOneName() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, List<String>> seen = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            List<String> parts = parts(random);
            String name = new LockTarget("s", parts).name();
            List<String> other = seen.putIfAbsent(name, parts);
            assertThat(other == null || other.equals(parts))
                    .as("seed %d: %s and %s are both '%s'", seed, parts, other, name)
                    .isTrue();
        }
        assertThat(seen).as("seed %d", seed).hasSizeGreaterThan(5_000);
    }

    /** Short parts of few characters, so that a flawed encoding would soon produce equal names. */
    private static List<String> parts(Random random) {
        String alphabet = ":%23A5a.";
        return IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(part -> random.ints(1 + random.nextInt(4), 0, alphabet.length())
                        .collect(
                                StringBuilder::new, (text, i) -> text.append(alphabet.charAt(i)), StringBuilder::append)
                        .toString())
                .toList();
    }

    @Test
    void unsetAttributesAreLeftToTheOperations() {
        LockRequest request = LockRequest.of("report");

        assertThat(request.namespace()).isNull();
        assertThat(request.expire()).isNull();
        assertThat(request.waitTime()).isNull();
        assertThat(request.renew()).isEqualTo(Renewal.AUTO);
        assertThat(request.reentrant()).isTrue();
    }

    @Test
    void unusablePartIsNamedByItsPosition() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("invoice", "acme", null))
                .withMessageStartingWith("key part 2 of scope 'invoice' is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("invoice", " "))
                .withMessageStartingWith("key part 1 of scope 'invoice' is blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("invoice", List.of(1)))
                .withMessageStartingWith("key part 1 of scope 'invoice' is a java.util.ImmutableCollections");
    }

    @Test
    void nullAsTheOnlyPartIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("invoice", (Object) null))
                .withMessageStartingWith("key part 1 of scope 'invoice' is null");
    }

    @Test
    void nullIsNamedWhereItStands() {
        String part =
                "key part 1 of scope 'invoice' is null: all calls with such a value would share one lock; check the"
                        + " value before the lock is acquired";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(null))
                .withMessage("scope is null; name what kind of thing is locked");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(null, 7))
                .withMessage("scope is null; name what kind of thing is locked");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("invoice", (Object) null))
                .withMessage(part);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("invoice", (Object[]) null))
                .withMessage(part);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.ofAll(null, List.of(1)))
                .withMessage("scope is null; name what kind of thing is locked");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.ofAll("invoice", null))
                .withMessage("the keys for scope 'invoice' are null; give a collection with at least one key");
    }

    @Test
    void constructorRefusesABlankPart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockTarget("invoice", List.of("a", "")))
                .withMessageStartingWith("key part of scope 'invoice' is blank");
    }

    @Test
    void requestWithoutAPartIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockTarget("invoice", List.of()))
                .withMessage("scope 'invoice' has no key part; leave the key out for 'global'");
    }

    @Test
    void badScopeIsRefusedBeforeTheParts() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a{b}", (Object) null))
                .withMessageStartingWith("scope 'a{b}' contains a brace");
    }

    @Test
    void badNamespaceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a").namespace("orders:lock"))
                .withMessageContaining("namespace 'orders:lock'");
    }

    @Test
    void badExpireIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a").expire(Duration.ZERO))
                .withMessageStartingWith("expire 0 ms is too short");
    }

    @Test
    void nameIsLimitedInLength() {
        String scope = "s";
        String longest = "k".repeat(LockTarget.LONGEST_NAME - 2);
        assertThat(LockRequest.of(scope, longest).name()).hasSize(LockTarget.LONGEST_NAME);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(scope, longest + "k"))
                .withMessage(
                        "the name of a lock of scope 's' has 32769 characters, more than 32768; use a shorter key, for example a digest of it");
        assertThatIllegalArgumentException()
                .as("an escaped character counts with its escaped length")
                .isThrownBy(() -> LockRequest.of(scope, ":".repeat(LockTarget.LONGEST_NAME / 2)))
                .withMessageContaining("more than 32768");
    }

    @Test
    void ownerIsLimitedInLength() {
        String longest = "o".repeat(1_024);
        assertThat(LockRequest.of("s").owner(longest).owner()).isEqualTo(longest);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("s").owner(longest + "o"))
                .withMessage(
                        "owner has 1025 characters, more than 1024; name what shares the lock, for example the id of"
                                + " a connection");
    }

    @Test
    void numberOfLocksOfARequestIsLimited() {
        List<Integer> most = IntStream.range(0, LockRequest.MOST_LOCKS).boxed().toList();
        LockRequest request = LockRequest.ofAll("account", most);
        assertThat(request.targets()).hasSize(128);
        assertThat(request.and(LockRequest.of("account", 7)).targets())
                .as("a lock that is named twice counts once")
                .hasSize(128);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.and(LockRequest.of("account", 128)))
                .withMessage(
                        "a request for 129 locks is too large (at most 128); lock what they have in common instead");
    }

    @Test
    void stallTimeAndRecheckHaveAMinimum() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a").stallTime(Duration.ofMillis(9)))
                .withMessage("stall time 9 ms is out of range; use 10 ms to ten years");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a").recheck(Duration.ofMillis(9)))
                .withMessage("recheck 9 ms is out of range; use 10 ms to ten years");
    }

    @Test
    void pollingIntervalHasARange() {
        for (Duration interval : List.of(Duration.ofNanos(999_999), Duration.ofDays(3651))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockRequest.of("a").pollingInterval(interval))
                    .withMessageStartingWith("polling interval ")
                    .withMessageEndingWith(" is out of range; use 1 ms to ten years");
        }
        assertThat(LockRequest.of("a").pollingInterval(Duration.ofMillis(1)).pollingInterval())
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void pollingIntervalWithAnotherStrategyIsRefusedInEitherOrder() {
        String message = "pollingInterval 20 ms and waitStrategy GRANT exclude each other; use waitStrategy POLLING, or"
                + " leave pollingInterval out";
        LockRequest often = LockRequest.of("a").pollingInterval(Duration.ofMillis(20));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> often.waitStrategy(WaitStrategy.GRANT))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockRequest.of("a").waitStrategy(WaitStrategy.GRANT).pollingInterval(Duration.ofMillis(20)))
                .withMessage(message);
        assertThat(often.waitStrategy(WaitStrategy.POLLING).waitStrategy()).isEqualTo(WaitStrategy.POLLING);
    }

    @Test
    void negativeWaitIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a").waitTime(Duration.ofSeconds(-2)))
                .withMessageStartingWith("wait time -2000 ms is negative");
    }

    @Test
    void laterChangesOfTheListDoNotChangeTheRequest() {
        List<String> parts = new ArrayList<>(List.of("a"));
        LockTarget request = new LockTarget("s", parts);

        parts.set(0, "b");

        assertThat(request.name()).isEqualTo("s.a");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> request.keyParts().add("c"));
    }

    @Test
    void eachWitherChangesOneThing() {
        WaitTime unbounded = WaitTime.unbounded();

        assertThat(FULL.namespace("billing")).isEqualTo(full("billing", 7, FULL.waitTime(), Renewal.ALWAYS, false));
        assertThat(FULL.expire(Duration.ofSeconds(9)))
                .isEqualTo(full("orders", 9, FULL.waitTime(), Renewal.ALWAYS, false));
        assertThat(FULL.waitTime(Duration.ofSeconds(4)))
                .isEqualTo(full("orders", 7, WaitTime.of(Duration.ofSeconds(4)), Renewal.ALWAYS, false));
        assertThat(FULL.waitTime(WaitTime.none())).isEqualTo(full("orders", 7, WaitTime.none(), Renewal.ALWAYS, false));
        assertThat(FULL.waitUnbounded()).isEqualTo(full("orders", 7, unbounded, Renewal.ALWAYS, false));
        assertThat(FULL.renew(Renewal.NEVER)).isEqualTo(full("orders", 7, FULL.waitTime(), Renewal.NEVER, false));
        assertThat(FULL.reentrant(true)).isEqualTo(full("orders", 7, FULL.waitTime(), Renewal.ALWAYS, true));
    }

    @Test
    void everySettingCountsInAComparison() {
        List<UnaryOperator<LockRequest>> changes = List.of(
                request -> request.targets(List.of(LockTarget.of("invoice", "acme", 8))),
                request -> request.namespace(null),
                request -> request.expire(null),
                request -> request.waitUnbounded(),
                request -> request.stallTime(null),
                request -> request.recheck(null),
                request -> request.waitStrategy(null),
                request -> request.pollingInterval(null),
                request -> request.renew(Renewal.AUTO),
                request -> request.holdAtLeast(null),
                request -> request.owner(null),
                request -> request.reentrant(true),
                request -> request.interruptible(true),
                request -> request.onLost(null));

        assertThat(changes).allSatisfy(change -> {
            LockRequest changed = change.apply(FULL);
            assertThat(changed).isNotEqualTo(FULL).isEqualTo(change.apply(FULL)).hasSameHashCodeAs(change.apply(FULL));
        });
        assertThat(FULL).isNotEqualTo("invoice.acme:7");
    }

    @Test
    void textNamesTheLocksAndTheSettingsThatAreSet() {
        assertThat(LockRequest.of("report")).hasToString("LockRequest[report.global]");
        assertThat(LockRequest.ofAll("account", List.of(1, 2)).waitTime(WaitTime.none()))
                .hasToString("LockRequest[account.1, account.2, waitTime=PT0S]");
        assertThat(FULL)
                .hasToString(
                        "LockRequest[invoice.acme:7, namespace=orders, expire=PT7S, waitTime=PT3S, stallTime=PT30S,"
                                + " recheck=PT0.5S, waitStrategy=POLLING, pollingInterval=PT0.02S, renew=ALWAYS, holdAtLeast=PT0.1S, owner=connection-1, reentrant=false,"
                                + " interruptible=false, onLost=INTERRUPT]");
    }

    @Test
    void modeIsThatOfAllLocks() {
        LockRequest read = LockRequest.of("prices").mode(LockMode.SHARED);
        assertThat(read.mode()).isEqualTo(LockMode.SHARED);
        assertThat(read.isShared()).isTrue();
        assertThat(read.sharedNames()).containsExactly("prices.global");
        assertThat(read.targets(List.of(LockTarget.of("a", 1), LockTarget.of("a", 2)))
                        .sharedNames())
                .containsExactlyInAnyOrder("a.1", "a.2");
        assertThat(read.mode(LockMode.EXCLUSIVE)).isEqualTo(LockRequest.of("prices"));
        assertThat(read).isNotEqualTo(LockRequest.of("prices"));
        assertThat(read.toString()).contains("mode=SHARED");
    }

    @Test
    void eachLockKeepsItsMode() {
        LockRequest read = LockRequest.of("prices").mode(LockMode.SHARED);
        LockRequest both = LockRequest.of("order", 1).and(read);
        assertThat(both.mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(both.shared()).containsExactly(LockTarget.of("prices"));
        assertThat(both.expire(Duration.ofSeconds(5)).sharedNames()).containsExactly("prices.global");
        assertThat(both.toString()).contains("mode=SHARED for [prices.global]");
        assertThat(both.and(LockRequest.of("prices")).isShared())
                .as("exclusive in one of them")
                .isFalse();
        assertThat(read.and(read)).isEqualTo(read);
    }

    @Test
    void textEscapesControlCharacters() {
        assertThat(LockRequest.of("report", "a\nb").owner("c\nd").toString()).doesNotContain("\n");
    }

    private static LockRequest full(String namespace, int expire, WaitTime waitTime, Renewal renew, boolean reentrant) {
        return LockRequest.of("invoice", "acme", 7)
                .namespace(namespace)
                .expire(Duration.ofSeconds(expire))
                .waitTime(waitTime)
                .stallTime(Duration.ofSeconds(30))
                .recheck(Duration.ofMillis(500))
                .waitStrategy(WaitStrategy.POLLING)
                .pollingInterval(Duration.ofMillis(20))
                .renew(renew)
                .holdAtLeast(Duration.ofMillis(100))
                .owner("connection-1")
                .reentrant(reentrant)
                .interruptible(false)
                .onLost(OnLost.INTERRUPT)
                .mode(LockMode.EXCLUSIVE);
    }

    @Test
    void permitsAreOneOfSoMany() {
        LockRequest request = LockRequest.of("api").permits(3);
        assertThat(request.permits()).isEqualTo(new LockPermits(3, 1));
        assertThat(request.isShared()).isFalse();
        assertThat(request.mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(request)
                .isNotEqualTo(LockRequest.of("api"))
                .isEqualTo(LockRequest.of("api").permits(3));
        assertThat(request.hashCode())
                .isNotEqualTo(LockRequest.of("api").permits(4).hashCode());
        assertThat(request).hasToString("LockRequest[api.global, permits=1 of 3]");
        assertThat(request.expire(Duration.ofSeconds(5)).permits()).isEqualTo(new LockPermits(3, 1));
        assertThat(request.permits((LockPermits) null)).isEqualTo(LockRequest.of("api"));
    }

    @Test
    void permitsContradictSeveralLocksModesOwnersAndStallTimes() {
        LockRequest request = LockRequest.of("api").permits(3);
        assertRefused(() -> request.and(LockRequest.of("order")), "permits of 'api.global' cannot be combined");
        assertRefused(() -> LockRequest.of("order").and(request), "permits of 'api.global' cannot be combined");
        assertRefused(() -> LockRequest.ofAll("api", List.of(1, 2)).permits(3), "permits and several locks");
        assertRefused(() -> request.mode(LockMode.SHARED), "permits and mode SHARED");
        assertRefused(() -> request.stallTime(Duration.ofSeconds(1)), "permits and stallTime");
        assertRefused(() -> request.onStuck(OnStuck.STEAL), "permits and onStuck STEAL");
        assertRefused(() -> request.owner("me"), "permits and owner");
        assertRefused(() -> request.reentrant(false), "permits and reentrant");
        assertRefused(() -> request.permits(-1), "permits -1 is not positive");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .withMessageStartingWith(message)
                .withMessageContaining("; ");
    }
}
