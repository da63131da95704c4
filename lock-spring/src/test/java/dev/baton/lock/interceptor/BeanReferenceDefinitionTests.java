package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.LockConfiguration;
import dev.baton.lock.testing.LockedContext;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** Tests that a bean in an expression of a lock must exist when the application starts. */
class BeanReferenceDefinitionTests {

    private static final String DECLARE = "Write the name of an existing bean, or declare the missing one.";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void missingBeanFailsTheStart(Class<?> bean, String attribute, String problem, String action) {
        LockDefinitionException failure = LockedContext.failure(bean, Archives.class);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.attribute()).hasValue(attribute);
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action);
    }

    static Stream<Arguments> missingBeanFailsTheStart() {
        return Stream.of(
                arguments(
                        InHandler.class,
                        "onTimeout",
                        "'@absent.of(#id)' uses the bean 'absent', which does not exist",
                        DECLARE),
                arguments(
                        InKey.class,
                        "key",
                        "'#id == null ? 0 : @absent.of(#id)' uses the bean 'absent', which does not exist",
                        DECLARE),
                arguments(
                        InCondition.class,
                        "condition",
                        "'!@'a.absent'.isOff()' uses the bean 'a.absent', which does not exist",
                        DECLARE),
                arguments(
                        InOwner.class,
                        "owner",
                        "'#id.concat(@absent.name)' uses the bean 'absent', which does not exist",
                        DECLARE),
                arguments(
                        OtherCase.class,
                        "onTimeout",
                        "'@Archive.of(#id)' uses the bean 'Archive', which does not exist",
                        "Did you mean '@archive'? " + DECLARE),
                arguments(
                        NearAlias.class,
                        "condition",
                        "'@arcive.of(#id) && @'an.alais'.of(#id)' uses the bean 'arcive', which does not exist",
                        "Did you mean '@archive'? " + DECLARE),
                arguments(
                        NearQuoted.class,
                        "owner",
                        "'@'an.alais'.of(#id)' uses the bean 'an.alais', which does not exist",
                        "Did you mean \"@'an.alias'\"? " + DECLARE),
                arguments(
                        NearFactory.class,
                        "key",
                        "'&maed.name' uses the bean '&maed', which does not exist",
                        "Did you mean '&made'? " + DECLARE),
                arguments(
                        NoFactory.class,
                        "key",
                        "'&absent.name' uses the bean '&absent', which does not exist",
                        DECLARE));
    }

    @Test
    void beansOfAllKindsAreFoundWithoutBeingCreated() {
        assertThatCode(() -> LockedContext.start(AllKinds.class, Archives.class).close())
                .doesNotThrowAnyException();
    }

    @Test
    void beanOfTheParentContextIsFound() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Archives.class);
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(LockConfiguration.class, AllKinds.class);
            assertThatCode(child::refresh).doesNotThrowAnyException();
        }
    }

    @Test
    void nearBeanOfTheParentContextIsSuggested() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Archives.class);
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(LockConfiguration.class, OtherCase.class);
            assertThatException()
                    .isThrownBy(child::refresh)
                    .havingRootCause()
                    .isInstanceOf(LockDefinitionException.class)
                    .withMessageEndingWith(
                            "uses the bean 'Archive', which does not exist. Did you mean '@archive'? " + DECLARE);
        }
    }

    static class InHandler {
        @DistributedLock(scope = "orders", onTimeout = "@absent.of(#id)")
        void close(String id) {}
    }

    static class InKey {
        @DistributedLock(scope = "orders", key = "#id == null ? 0 : @absent.of(#id)")
        void close(String id) {}
    }

    static class InCondition {
        @DistributedLock(scope = "orders", condition = "!@'a.absent'.isOff()")
        void close(String id) {}
    }

    static class InOwner {
        @DistributedLock(scope = "orders", owner = "#id.concat(@absent.name)")
        void close(String id) {}
    }

    static class OtherCase {
        @DistributedLock(scope = "orders", onTimeout = "@Archive.of(#id)")
        void close(String id) {}
    }

    static class NearAlias {
        @DistributedLock(scope = "orders", condition = "@arcive.of(#id) && @'an.alais'.of(#id)")
        void close(String id) {}
    }

    static class NearQuoted {
        @DistributedLock(scope = "orders", owner = "@'an.alais'.of(#id)")
        void close(String id) {}
    }

    static class NearFactory {
        @DistributedLock(scope = "orders", key = "&maed.name")
        void close(String id) {}
    }

    static class NoFactory {
        @DistributedLock(scope = "orders", key = "&absent.name")
        void close(String id) {}
    }

    static class AllKinds {
        @DistributedLock(
                scope = "orders",
                key = {"@archive.of(#id)", "@alias.of(#id)", "@'an.alias'.of(#id)", "@'an alias'.of(#id)"},
                condition = "@prototype.of(#id) == @lazy.of(#id)",
                owner = "@made + &made.getObject() + @environment.getProperty(#id)")
        void close(String id) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Archives {

        @Bean({"archive", "alias", "an.alias", "an alias"})
        Archive archive() {
            return new Archive();
        }

        @Bean
        @Lazy
        Archive lazy() {
            throw new AssertionError("created");
        }

        @Bean
        @Scope("prototype")
        Archive prototype() {
            throw new AssertionError("created");
        }

        @Bean
        @Lazy
        NameFactory made() {
            return new NameFactory();
        }
    }

    static class Archive {}

    static class NameFactory implements FactoryBean<String> {

        @Override
        public String getObject() {
            throw new AssertionError("created");
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }
}
