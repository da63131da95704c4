package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.validation.LockDefinitionValidator;
import dev.baton.lock.testing.LockedContext;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.stereotype.Component;

/** Tests that an invalid key fails the start, with the class, the method, the attribute and the remedy. */
class LockKeyDefinitionTests {

    private static final String WRITE_SPEL =
            "Write a parameter as \"#id\", a property of it as \"#order.id\", a text in its own quotes as \"'daily'\".";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void failsTheStart(Class<?> bean, String problem, String action) {
        LockDefinitionException failure = LockedContext.failure(bean);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.attribute()).hasValue("key");
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action);
        assertThat(failure).hasMessage(failure.description() + " " + action);
    }

    static Stream<Arguments> failsTheStart() {
        return Stream.concat(words(), references());
    }

    private static Stream<Arguments> words() {
        return Stream.of(
                arguments(
                        Unparsable.class,
                        "'#id +' is not a SpEL expression (Expression [#id +] @4: EL1042E: Problem parsing right operand)",
                        WRITE_SPEL),
                arguments(
                        Blank.class,
                        "a part of the key is blank",
                        "Write an expression such as \"#id\" or \"'daily'\", or leave the key out for a single lock."),
                arguments(
                        BareWord.class,
                        "'daily' has the bare word 'daily', which names nothing",
                        "Write \"'daily'\" for the text, or \"#name\" for a parameter."),
                arguments(
                        BareParameter.class,
                        "'id' has the bare word 'id', which names nothing",
                        "Write \"#id\" for the parameter."),
                arguments(
                        BareMethod.class,
                        "'method' has the bare word 'method', which names nothing",
                        "Write \"#root.method\" for that of the call, or \"'method'\" for the text."),
                arguments(
                        BareTarget.class,
                        "'target + #id' has the bare word 'target', which names nothing",
                        "Write \"#root.target\" for that of the call, or \"'target'\" for the text."),
                arguments(
                        BareTargetClass.class,
                        "'targetClass.name' has the bare word 'targetClass', which names nothing",
                        "Write \"#root.targetClass\" for that of the call, or \"'targetClass'\" for the text."),
                arguments(
                        BareArguments.class,
                        "'#id.concat(args[0])' has the bare word 'args', which names nothing",
                        "Write \"#root.args\" for that of the call, or \"'args'\" for the text."),
                arguments(
                        BareProperty.class,
                        "'id.length()' has the bare word 'id', which names nothing",
                        "Write \"#id\" for the parameter."),
                arguments(
                        BareArgument.class,
                        "'#id.concat(daily)' has the bare word 'daily', which names nothing",
                        "Write \"'daily'\" for the text, or \"#name\" for a parameter."),
                arguments(
                        BareHyphen.class,
                        "'per-day' has the bare word 'per', which names nothing",
                        "Write \"'per'\" for the text, or \"#name\" for a parameter."));
    }

    private static Stream<Arguments> references() {
        return Stream.of(
                arguments(
                        CallOnNothing.class,
                        "'key(#id)' calls key(..) on nothing",
                        "Write \"#root.target.key(..)\" for a public method of the bean itself, or \"@bean.key(..)\" for that"
                                + " of another."),
                arguments(
                        Function.class,
                        "'#key(#id)' calls a function, #key(#id), and none are defined",
                        "Call a method of a bean instead, as \"@bean.method(#id)\"."),
                arguments(
                        UnknownVariable.class,
                        "'#idd' uses #idd, which is not a parameter of the method",
                        "Use one of #id."),
                arguments(
                        UnknownPosition.class,
                        "'#p1' uses #p1, which is not a parameter of the method",
                        "Use one of #id."),
                arguments(
                        UnknownInProjection.class,
                        "'#root.args.?[#this == #other]' uses #other, which is not a parameter of the method",
                        "Use one of #id."),
                arguments(
                        SecondPart.class,
                        "'#other' uses #other, which is not a parameter of the method",
                        "Use one of #id."),
                arguments(
                        NamedLocks.class,
                        "'{from: #id}' is a map, and it is not clear whether its keys or its values are meant",
                        "Write a list as \"{#from, #to}\" for one lock per element, or key = {\"#a\", \"#b\"} for one lock"
                                + " whose key has parts."),
                arguments(
                        NoLocks.class,
                        "'{}' is an empty list, which names no lock",
                        "Leave the key out for a single lock, or list what is to be locked."));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Good.class,
                GoodList.class,
                GoodProjection.class,
                GoodIndex.class,
                GoodTernary.class,
                GoodType.class
            })
    void goodKeysPass(Class<?> bean) {
        assertThatCode(() -> LockedContext.start(bean, Other.class).close()).doesNotThrowAnyException();
    }

    @Test
    void variableOfAMethodWithoutParametersFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(NoParameters.class);
        assertThat(failure.methodSignature()).isEqualTo("close()");
        assertThat(failure.problem()).isEqualTo("'#id' uses #id, but the method has no parameters");
        assertThat(failure.action()).isEqualTo("Leave the key out for a single lock, or use #root or @bean.");
    }

    @Test
    void missingParameterNamesFailTheStart() {
        LockDefinitionException failure =
                catchThrowableOfType(LockDefinitionException.class, () -> validateWithoutNames(Good.class));
        assertThat(failure.attribute()).hasValue("key");
        assertThat(failure.problem())
                .isEqualTo("'#id' uses #id, but the names of the parameters are not in the class file");
        assertThat(failure.action())
                .isEqualTo(
                        "Compile with -parameters (in Kotlin -java-parameters, or add kotlin-reflect), or write #p0 for the first"
                                + " parameter.");
    }

    @Test
    void positionsNeedNoParameterNames() {
        assertThatCode(() -> validateWithoutNames(Positions.class)).doesNotThrowAnyException();
        LockDefinitionException failure =
                catchThrowableOfType(LockDefinitionException.class, () -> validateWithoutNames(UnknownPosition.class));
        assertThat(failure.problem()).isEqualTo("'#p1' uses #p1, which is not a parameter of the method");
        assertThat(failure.action()).isEqualTo("Use one of #p0.");
    }

    private static void validateWithoutNames(Class<?> type) {
        LockedMethods methods = new LockedMethods(new AnnotationLockAttributeSource(text -> text));
        new LockDefinitionValidator(methods, () -> null, new NoNames()).validate(type, true);
    }

    /** Discovers no parameter names, as in classes compiled without {@code -parameters}. */
    private static final class NoNames implements ParameterNameDiscoverer {

        @Override
        public String @Nullable [] getParameterNames(Method method) {
            return null;
        }

        @Override
        public String @Nullable [] getParameterNames(Constructor<?> constructor) {
            return null;
        }
    }

    static class Unparsable {
        @DistributedLock(scope = "orders", key = "#id +")
        void close(String id) {}
    }

    static class Blank {
        @DistributedLock(scope = "orders", key = " ")
        void close(String id) {}
    }

    static class BareWord {
        @DistributedLock(scope = "orders", key = "daily")
        void close(String id) {}
    }

    static class BareParameter {
        @DistributedLock(scope = "orders", key = "id")
        void close(String id) {}
    }

    static class BareMethod {
        @DistributedLock(scope = "orders", key = "method")
        void close(String id) {}
    }

    static class BareTarget {
        @DistributedLock(scope = "orders", key = "target + #id")
        void close(String id) {}
    }

    static class BareTargetClass {
        @DistributedLock(scope = "orders", key = "targetClass.name")
        void close(String id) {}
    }

    static class BareArguments {
        @DistributedLock(scope = "orders", key = "#id.concat(args[0])")
        void close(String id) {}
    }

    static class BareProperty {
        @DistributedLock(scope = "orders", key = "id.length()")
        void close(String id) {}
    }

    static class BareArgument {
        @DistributedLock(scope = "orders", key = "#id.concat(daily)")
        void close(String id) {}
    }

    static class BareHyphen {
        @DistributedLock(scope = "orders", key = "per-day")
        void close(String id) {}
    }

    static class CallOnNothing {
        @DistributedLock(scope = "orders", key = "key(#id)")
        void close(String id) {}
    }

    static class Function {
        @DistributedLock(scope = "orders", key = "#key(#id)")
        void close(String id) {}
    }

    static class UnknownVariable {
        @DistributedLock(scope = "orders", key = "#idd")
        void close(String id) {}
    }

    static class UnknownPosition {
        @DistributedLock(scope = "orders", key = "#p1")
        void close(String id) {}
    }

    static class UnknownInProjection {
        @DistributedLock(scope = "orders", key = "#root.args.?[#this == #other]")
        void close(String id) {}
    }

    static class SecondPart {
        @DistributedLock(
                scope = "orders",
                key = {"#id", "#other"})
        void close(String id) {}
    }

    static class NamedLocks {
        @DistributedLock(scope = "orders", key = "{from: #id}")
        void close(String id) {}
    }

    static class NoLocks {
        @DistributedLock(scope = "orders", key = "{}")
        void close(String id) {}
    }

    static class NoParameters {
        @DistributedLock(scope = "orders", key = "#id")
        void close() {}
    }

    static class Positions {
        @DistributedLock(scope = "orders", key = "#p0 + #a0")
        void close(String id) {}
    }

    static class Good {
        @DistributedLock(scope = "orders", key = "#id")
        void close(String id) {}
    }

    static class GoodList {
        @DistributedLock(scope = "orders", key = "{#id, #p0}")
        void close(String id) {}
    }

    static class GoodProjection {
        @DistributedLock(scope = "orders", key = "#orders.![name.concat(name)].get(0) + #orders.size()")
        void close(List<Thread> orders) {}
    }

    static class GoodIndex {
        @DistributedLock(scope = "orders", key = "#order[id] + #root.args[0] + {id: 1}.id")
        void close(Map<String, String> order) {}
    }

    static class GoodTernary {
        @DistributedLock(
                scope = "orders",
                key = "#id == null ? #root.method.name : #root.target.toString() + @other.of(#this)")
        void close(String id) {}
    }

    @Component("other")
    static class Other {}

    static class GoodType {
        @DistributedLock(scope = "orders", key = "T(java.lang.String).valueOf(#id) + new String(#id)")
        void close(String id) {}
    }
}
