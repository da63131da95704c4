package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.testing.LockedContext;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that an invalid attribute fails the start, with the class, the method, the attribute and the remedy. */
class DistributedLockErrorsTests {

    private static final String GIVE_EXPIRE =
            "Give at least 1 s, use expireString for less, or leave it out for the configured baton.expire.";
    private static final String GIVE_EXPIRE_TEXT =
            "Give 10 ms to ten years with the unit, such as '500ms', '10s' or 'PT10S'.";
    private static final String GIVE_WAIT_TEXT =
            "Give a duration with the unit, such as '500ms', '10s' or 'PT10S', or '0' or 'unbounded'.";
    private static final String USE_SCOPE =
            "Use a plain name such as 'server_access', and put what varies from call to call into 'key'.";
    private static final String DEFINE =
            "Define the property, or give the placeholder a default as in ${name:default}.";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void failsTheStart(Class<?> bean, @Nullable String attribute, String problem, String action) {
        LockDefinitionException failure =
                LockedContext.failure(Map.of("lease", "10", "scope", "a{1}", "blank", " "), bean);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.attribute().orElse(null)).isEqualTo(attribute);
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action);
        assertThat(failure.description())
                .isEqualTo("@DistributedLock on " + bean.getName() + ".close(String)"
                        + (attribute == null ? "" : ", attribute '" + attribute + "'") + ": " + problem + ".");
        assertThat(failure).hasMessage(failure.description() + " " + action);
    }

    static Stream<Arguments> failsTheStart() {
        return Stream.of(leases(), waits(), scopes()).flatMap(rows -> rows);
    }

    private static Stream<Arguments> leases() {
        return Stream.of(
                arguments(ExpireZero.class, "expire", "expire = 0 s is too short for a lease", GIVE_EXPIRE),
                arguments(ExpireNegative.class, "expire", "expire = -2 s is too short for a lease", GIVE_EXPIRE),
                arguments(
                        ExpireTooLong.class,
                        "expire",
                        "expire of 106751991167300 days is too long; use a short one with renewal (renew = ALWAYS), so that the lock of a dead holder becomes free soon",
                        "Give at most ten years."),
                arguments(
                        ExpireTwice.class,
                        "expire",
                        "expire = 10 and expireString = '10s' are both given",
                        "Keep one of them."),
                arguments(
                        ExpireTextWithoutUnit.class,
                        "expireString",
                        "'10' has no unit; write '10s' or '10ms' (from '${lease}')",
                        GIVE_EXPIRE_TEXT),
                arguments(
                        ExpireTextUnparsable.class,
                        "expireString",
                        "'soon' is not a duration; write it as '500ms', '10s', '5m' or 'PT10S'",
                        GIVE_EXPIRE_TEXT),
                arguments(
                        ExpireTextZero.class,
                        "expireString",
                        "expire 0 ms is too short; use at least 10 ms, and more than the work under the lock takes",
                        GIVE_EXPIRE_TEXT),
                arguments(ExpireTextUndefined.class, "expireString", "'${undefined}' cannot be resolved", DEFINE));
    }

    private static Stream<Arguments> waits() {
        return Stream.of(
                arguments(
                        WaitNegative.class,
                        "waitTime",
                        "waitTime = -5 s is negative",
                        "Use 0 to not wait, waitTimeString = \"unbounded\" to wait without a bound, or leave it out for the"
                                + " configured baton.wait-time."),
                arguments(
                        WaitTwice.class,
                        "waitTime",
                        "waitTime = 0 and waitTimeString = '10s' are both given",
                        "Keep one of them."),
                arguments(
                        WaitTextUnparsable.class,
                        "waitTimeString",
                        "'forever' is not a duration; write it as '500ms', '10s', '5m' or 'PT10S', as '0' to not wait, or"
                                + " as 'unbounded' to wait without a bound",
                        GIVE_WAIT_TEXT),
                arguments(
                        WaitTextNegative.class,
                        "waitTimeString",
                        "wait time -2000 ms is negative; use 0 to not wait, or 'unbounded' to wait without a bound",
                        GIVE_WAIT_TEXT));
    }

    private static Stream<Arguments> scopes() {
        return Stream.of(
                arguments(
                        ScopeWithBraces.class,
                        "scope",
                        "scope 'order_{id}' contains a brace, a control character, or leading or trailing white space; put what varies into the key, which may contain any character",
                        USE_SCOPE),
                arguments(
                        ScopeResolvedToBraces.class,
                        "scope",
                        "scope 'a{1}' contains a brace, a control character, or leading or trailing white space; put what varies into the key, which may contain any character (from '${scope}')",
                        USE_SCOPE),
                arguments(
                        ScopeResolvedToBlank.class,
                        "scope",
                        "scope is blank; name what kind of thing is locked (from '${blank}')",
                        USE_SCOPE),
                arguments(ScopeUndefined.class, "scope", "'${undefined}' cannot be resolved", DEFINE));
    }

    @Test
    void twoScopesFailTheStart() {
        LockDefinitionException failure = LockedContext.failure(ScopeAndValue.class);
        assertThat(failure.attribute()).hasValue("scope");
        assertThat(failure.problem()).contains("[one]", "[two]");
        assertThat(failure.action()).isEqualTo("Give either 'scope' or 'value', not both.");
    }

    static class ExpireZero {
        @DistributedLock(scope = "orders", expire = 0)
        void close(String id) {}
    }

    static class ExpireNegative {
        @DistributedLock(scope = "orders", expire = -2)
        void close(String id) {}
    }

    static class ExpireTooLong {
        @DistributedLock(scope = "orders", expire = Long.MAX_VALUE)
        void close(String id) {}
    }

    static class ExpireTwice {
        @DistributedLock(scope = "orders", expire = 10, expireString = "10s")
        void close(String id) {}
    }

    static class ExpireTextWithoutUnit {
        @DistributedLock(scope = "orders", expireString = "${lease}")
        void close(String id) {}
    }

    static class ExpireTextUnparsable {
        @DistributedLock(scope = "orders", expireString = "soon")
        void close(String id) {}
    }

    static class ExpireTextZero {
        @DistributedLock(scope = "orders", expireString = "0s")
        void close(String id) {}
    }

    static class ExpireTextUndefined {
        @DistributedLock(scope = "orders", expireString = "${undefined}")
        void close(String id) {}
    }

    static class WaitNegative {
        @DistributedLock(scope = "orders", waitTime = -5)
        void close(String id) {}
    }

    static class WaitTwice {
        @DistributedLock(scope = "orders", waitTime = 0, waitTimeString = "10s")
        void close(String id) {}
    }

    static class WaitTextUnparsable {
        @DistributedLock(scope = "orders", waitTimeString = "forever")
        void close(String id) {}
    }

    static class WaitTextNegative {
        @DistributedLock(scope = "orders", waitTimeString = "-2s")
        void close(String id) {}
    }

    static class ScopeWithBraces {
        @DistributedLock(scope = "order_{id}")
        void close(String id) {}
    }

    static class ScopeResolvedToBraces {
        @DistributedLock(scope = "${scope}")
        void close(String id) {}
    }

    static class ScopeResolvedToBlank {
        @DistributedLock(scope = "${blank}")
        void close(String id) {}
    }

    static class ScopeUndefined {
        @DistributedLock(scope = "${undefined}")
        void close(String id) {}
    }

    static class ScopeAndValue {
        @DistributedLock(value = "one", scope = "two")
        void close(String id) {}
    }
}
