package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.LockedContext;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a contradictory declaration fails the start, with the class, the method, the attribute and the remedy: one
 * row per contradiction, and more in {@code LockKeyDefinitionTests}, {@code DistributedLockErrorsTests} and {@code
 * LockDefinitionTests}.
 */
class ContradictionTests {

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void failsTheStart(Class<?> bean, @Nullable String attribute, String problem, String action) {
        LockDefinitionException failure = LockedContext.failure(Map.of("name", "not a name"), bean);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.attribute().orElse(null)).isEqualTo(attribute);
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action + ".");
        assertThat(failure.description())
                .isEqualTo("@DistributedLock on " + bean.getName() + ".close(String)"
                        + (attribute == null ? "" : ", attribute '" + attribute + "'") + ": " + problem + ".");
    }

    static Stream<Arguments> methods() {
        return Stream.of(
                arguments(
                        Contradictions.FinalMethod.class,
                        null,
                        "the method is final, so it cannot be intercepted",
                        "Remove 'final' (in Kotlin declare it 'open')"),
                arguments(
                        Contradictions.PrivateMethod.class,
                        null,
                        "the method is private, so it cannot be intercepted",
                        "Make it public and call it from another bean"),
                arguments(
                        Contradictions.StaticMethod.class,
                        null,
                        "the method is static, so it is not called on a bean and cannot be intercepted",
                        "Make it an instance method of a bean"),
                arguments(
                        Contradictions.NotProxied.class,
                        null,
                        "bean 'contradictions.NotProxied' is not proxied, so the method would run without its lock",
                        "If the bean is a BeanPostProcessor, an Advisor or the like, move the method to another bean; if such a bean needs it during its own creation, inject it there lazily (ObjectProvider, @Lazy); otherwise find out what replaces or wraps the bean before its proxy is created"),
                arguments(
                        Contradictions.TwoInterfaces.class,
                        null,
                        "the interfaces " + Contradictions.Closer.class.getName() + " and "
                                + Contradictions.Finisher.class.getName()
                                + " declare different locks for it, and only one of them would be used",
                        "Annotate the method of the class, which takes precedence over both"));
    }

    static Stream<Arguments> expressions() {
        String spel =
                "Write a parameter as \"#id\", a property of it as \"#order.id\", a text in its own quotes as \"'daily'\"";
        return Stream.of(
                arguments(
                        Contradictions.Unparsable.class,
                        "key",
                        "'#id +' is not a SpEL expression (Expression [#id +] @4: EL1042E: Problem parsing right operand)",
                        spel),
                arguments(
                        Contradictions.UnknownVariable.class,
                        "key",
                        "'#other' uses #other, which is not a parameter of the method",
                        "Use one of #id"),
                arguments(
                        Contradictions.BareWord.class,
                        "key",
                        "'daily' has the bare word 'daily', which names nothing",
                        "Write \"'daily'\" for the text, or \"#name\" for a parameter"),
                arguments(
                        Contradictions.UnparsableCondition.class,
                        "condition",
                        "'#id ==' is not a SpEL expression (Expression [#id ==] @4: EL1042E: Problem parsing right operand)",
                        spel),
                arguments(
                        Contradictions.ConditionOfUnknown.class,
                        "condition",
                        "'#other != null' uses #other, which is not a parameter of the method",
                        "Use one of #id"),
                arguments(
                        Contradictions.PlaceholderInCondition.class,
                        "condition",
                        "'${name}' is not a SpEL expression (Expression [${name}] @1: EL1041E: After parsing a valid expression,"
                                + " there is still more data in the expression: 'lcurly({)')",
                        spel),
                arguments(
                        Contradictions.OwnerOfUnknown.class,
                        "owner",
                        "'#session' uses #session, which is not a parameter of the method",
                        "Use one of #id"),
                arguments(
                        Contradictions.OwnerAsWord.class,
                        "owner",
                        "'nightly' has the bare word 'nightly', which names nothing",
                        "Write \"'nightly'\" for the text, or \"#name\" for a parameter"));
    }

    static Stream<Arguments> durations() {
        String unit = "Give it with the unit, such as '500ms', '10s' or 'PT10S'";
        return Stream.of(
                arguments(
                        Contradictions.ExpireZero.class,
                        "expire",
                        "expire = 0 s is too short for a lease",
                        "Give at least 1 s, use expireString for less, or leave it out for the configured baton.expire"),
                arguments(
                        Contradictions.WaitNegative.class,
                        "waitTime",
                        "waitTime = -5 s is negative",
                        "Use 0 to not wait, waitTimeString = \"unbounded\" to wait without a bound, or leave it out for the"
                                + " configured baton.wait-time"),
                arguments(
                        Contradictions.ExpireTwice.class,
                        "expire",
                        "expire = 10 and expireString = '10s' are both given",
                        "Keep one of them"),
                arguments(
                        Contradictions.WaitTwice.class,
                        "waitTime",
                        "waitTime = 1 and waitTimeString = '1s' are both given",
                        "Keep one of them"),
                arguments(
                        Contradictions.StallWithoutUnit.class,
                        "stallTimeString",
                        "'3' has no unit; write '3s' or '3ms'",
                        unit),
                arguments(
                        Contradictions.StallTooShort.class,
                        "stallTimeString",
                        "stall time 5 ms is out of range",
                        "Use 10 ms to ten years"),
                arguments(
                        Contradictions.RecheckTooShort.class,
                        "recheckString",
                        "recheck 5 ms is out of range",
                        "Use 10 ms to ten years"),
                arguments(
                        Contradictions.PollingTooShort.class,
                        "pollingIntervalString",
                        "polling interval 0 ms is out of range",
                        "Use 1 ms to ten years"),
                arguments(
                        Contradictions.PollingInAQueue.class,
                        "pollingIntervalString",
                        "pollingInterval 20 ms and waitStrategy GRANT exclude each other",
                        "Use waitStrategy POLLING, or leave pollingInterval out"),
                arguments(
                        Contradictions.HoldNothing.class,
                        "holdAtLeastString",
                        "holdAtLeast 0 ms is not positive",
                        "Leave it out to release at once"),
                arguments(
                        Contradictions.HoldBeyondExpire.class,
                        "holdAtLeastString",
                        "holdAtLeast 20000 ms is longer than the lease of 10000 ms",
                        "A lock is not kept beyond its lease: raise expire, or shorten holdAtLeast"));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                arguments(
                        Contradictions.TwoStrategies.class,
                        "waitStrategy",
                        "waitStrategy has 2 values",
                        "Keep one of them"),
                arguments(Contradictions.TwoModes.class, "mode", "mode has 2 values", "Keep one of them"),
                arguments(Contradictions.TwoOnStuck.class, "onStuck", "onStuck has 2 values", "Keep one of them"),
                arguments(
                        Contradictions.NegativePermits.class,
                        "permits",
                        "permits = -1 is negative",
                        "Write how many calls may run at a time, or leave it out for a lock"),
                arguments(
                        Contradictions.SharedPermits.class,
                        "permits",
                        "permits and mode SHARED exclude each other",
                        "Leave mode out"),
                arguments(
                        Contradictions.StallingPermits.class,
                        "permits",
                        "permits and stallTime exclude each other, because permits have several holders",
                        "Bound the wait by waitTime"),
                arguments(
                        Contradictions.OwnedPermits.class,
                        "permits",
                        "permits and owner exclude each other, because each call is an owner of its own",
                        "Leave owner out"),
                arguments(
                        Contradictions.ReentrantPermits.class,
                        "permits",
                        "permits and reentrant exclude each other, because each call takes a permit of its own",
                        "Leave reentrant out"),
                arguments(
                        Contradictions.PermitsOfSeveral.class,
                        "permits",
                        "permits and several locks exclude each other: a request takes permits of one semaphore",
                        "Make one request for each, always in the same order"),
                arguments(Contradictions.TwoValues.class, "onLost", "onLost has 2 values", "Keep one of them"),
                arguments(
                        Contradictions.SingleForArray.class,
                        "reentrant",
                        "a composed annotation overrides reentrant with an attribute of another type",
                        "Declare its attribute as boolean[]"),
                arguments(
                        Contradictions.NamespaceWithBrace.class,
                        "namespace",
                        "namespace 'a{b}' contains a brace, a control character, or leading or trailing white space; put what varies into the key, which may contain any character",
                        "Use names separated by single colons, such as 'orders' or 'shop:orders'"));
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                arguments(
                        Contradictions.SkipsPrimitive.class,
                        "whenBusy",
                        "whenBusy = SKIP returns nothing if the lock is busy, and the method returns the primitive type int",
                        "Return a type that can be empty, such as Optional, or name a method with onTimeout that says what to"
                                + " return"),
                arguments(
                        Contradictions.SkipsAndCalls.class,
                        "onTimeout",
                        "whenBusy = SKIP and onTimeout = 'busy' are both given",
                        "Keep one of them"),
                arguments(
                        Contradictions.UnknownHandler.class,
                        "onTimeout",
                        "the class has no method 'busy'",
                        "Write a method busy(String), optionally with a LockTimeoutException after these, or name one of"
                                + " another bean as \"@bean.method(#id)\""),
                arguments(
                        Contradictions.HandlerOfOtherParameters.class,
                        "onTimeout",
                        "the class has a method 'busy', but not with the parameters (String)",
                        "Give it the same parameters as the method, optionally with a LockTimeoutException after them"),
                arguments(
                        Contradictions.HandlerOfOtherResult.class,
                        "onTimeout",
                        "busy(..) returns java.util.List<java.lang.Integer>, and the method"
                                + " java.util.List<java.lang.String>",
                        "Have busy(..) return java.util.List<java.lang.String>, since its result is what the caller gets"),
                arguments(
                        Contradictions.HandlerOfBoxedResult.class,
                        "onTimeout",
                        "busy(..) returns java.lang.Integer, and the method int",
                        "Have busy(..) return int, since its result is what the caller gets"));
    }

    static Stream<Arguments> handlers() {
        return Stream.of(
                arguments(
                        Contradictions.HandlerThrows.class,
                        "onTimeout",
                        "busy(..) declares java.io.IOException, which the method does not",
                        "Declare it on the method too, or have busy(..) throw an unchecked exception"),
                arguments(
                        Contradictions.TwoHandlers.class,
                        "onTimeout",
                        "the class has both busy(String) and one with a LockTimeoutException after them",
                        "Keep one of them"),
                arguments(
                        Contradictions.HandlerIsItself.class,
                        "onTimeout",
                        "'close' is the method itself, which would then run without its lock",
                        "Name another method"),
                arguments(
                        Contradictions.HandlerIsLocked.class,
                        "onTimeout",
                        "'busy' has a lock of its own, and would be called without it, as on 'this'",
                        "Remove its lock (with @NoDistributedLock if the class has one), or move it to another bean and write \"@bean.busy(..)\""),
                arguments(
                        Contradictions.HandlerIsNoName.class,
                        "onTimeout",
                        "'not a name' is neither the name of a method nor a call on a bean (from '${name}')",
                        "Write the name alone, as \"lastReport\", or \"@bean.method(#id)\""),
                arguments(
                        Contradictions.HandlerIsNoCall.class,
                        "onTimeout",
                        "'@archive' calls no method of a bean",
                        "Write \"@bean.method(#id)\", or the name of a method of the same class"),
                arguments(
                        Contradictions.HandlerOfUnknown.class,
                        "onTimeout",
                        "'@archive.of(#number)' uses #number, which is not a parameter of the method",
                        "Use one of #id"));
    }

    static Stream<Arguments> levels() {
        return Stream.of(
                arguments(
                        Contradictions.WrongClass.class,
                        "expire",
                        "expire = 0 s is too short for a lease (in @DistributedLock of "
                                + Contradictions.WrongClass.class.getName() + ")",
                        "Give at least 1 s, use expireString for less, or leave it out for the configured baton.expire"),
                arguments(
                        Contradictions.WrongDefaults.class,
                        "scope",
                        "scope 'a{b}' contains a brace, a control character, or leading or trailing white space; put what varies into the key, which may contain any character (in @LockDefaults of "
                                + Contradictions.WrongDefaults.class.getName() + ")",
                        "Use a plain name such as 'server_access', and put what varies from call to call into 'key'"),
                arguments(
                        Contradictions.LockedAndNot.class,
                        null,
                        "the method has both @DistributedLock and @NoDistributedLock",
                        "Keep one of them"),
                arguments(
                        Contradictions.TwoDefaults.class,
                        null,
                        "the class has 2 @LockDefaults (composed annotations count), and only one of them would be used",
                        "Keep one of them"),
                arguments(
                        Contradictions.KeyOfClassForAll.class,
                        "key",
                        "'#number' uses #number, which is not a parameter of the method",
                        "Use one of #id"),
                arguments(
                        Contradictions.FinalInLockedClass.class,
                        null,
                        "the method is final, so it cannot be intercepted",
                        "Remove 'final' (in Kotlin declare it 'open')"));
    }

    static Stream<Arguments> more() {
        return Stream.of(
                arguments(
                        Contradictions.FinalClass.class,
                        null,
                        "the class is final, so it cannot have a proxy that takes the lock",
                        "Open the class to subclasses (in Kotlin 'open', or the kotlin-spring plugin), or declare the method in"
                                + " an interface and set spring.aop.proxy-target-class=false"),
                arguments(
                        Contradictions.BlankPart.class,
                        "key",
                        "a part of the key is blank",
                        "Write an expression such as \"#id\" or \"'daily'\", or leave the key out for a single lock"),
                arguments(
                        Contradictions.ExpireTextZero.class,
                        "expireString",
                        "expire 0 ms is too short; use at least 10 ms, and more than the work under the lock takes",
                        "Give 10 ms to ten years with the unit, such as '500ms', '10s' or 'PT10S'"),
                arguments(
                        Contradictions.WaitTextNegative.class,
                        "waitTimeString",
                        "wait time -2000 ms is negative; use 0 to not wait, or 'unbounded' to wait without a bound",
                        "Give a duration with the unit, such as '500ms', '10s' or 'PT10S', or '0' or 'unbounded'"),
                arguments(Contradictions.TwoRenewals.class, "renew", "renew has 2 values", "Keep one of them"),
                arguments(
                        Contradictions.SkipOfDefaultsOnPrimitive.class,
                        "whenBusy",
                        "whenBusy = SKIP returns nothing if the lock is busy, and the method returns the primitive type"
                                + " boolean",
                        "Return a type that can be empty, such as Optional, or name a method with onTimeout that says what to"
                                + " return"),
                arguments(
                        Contradictions.HandlerOfDefaultsMissing.class,
                        "onTimeout",
                        "the class has no method 'busy'",
                        "Write a method busy(String), optionally with a LockTimeoutException after these, or name one of"
                                + " another bean as \"@bean.method(#id)\""));
    }

    @Test
    void everyAttributeHasARow() {
        assertThat(rows().map(row -> row.get()[1]).filter(Objects::nonNull))
                .contains(Arrays.stream(DistributedLock.class.getDeclaredMethods())
                        .map(Method::getName)
                        // value is an alias of the scope
                        .filter(attribute -> !attribute.equals("value"))
                        .toArray());
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        methods(),
                        ReturnTypeContradictions.rows(),
                        expressions(),
                        durations(),
                        values(),
                        answers(),
                        handlers(),
                        levels(),
                        more())
                .flatMap(rows -> rows);
    }
}
