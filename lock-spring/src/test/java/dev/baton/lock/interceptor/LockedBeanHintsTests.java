package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.LockKeyed;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.DistributedLocks;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.annotation.NoDistributedLock;
import dev.baton.lock.aot.LockedBeanAotProcessor;
import dev.baton.lock.interceptor.expression.LockExpressionRoot;
import dev.baton.lock.testing.LockConfiguration;
import dev.baton.lock.testing.LockedContext;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.AliasFor;
import org.springframework.javapoet.ClassName;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Tests the hints for a native image that the ahead-of-time processing of a context generates for locks. */
class LockedBeanHintsTests {

    @Test
    void reflectionOfEveryApplicationHasHints() {
        RuntimeHints hints = process();
        assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(SimpleKey.class, "params"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(LockExpressionRoot.class, "getArgs"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(TransactionSynchronizationManager.class))
                .accepts(hints);
    }

    @Test
    void lockedMethodAndItsHandlerHaveHints() {
        RuntimeHints hints = ours(Orders.class, Tenants.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "close"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "stillOpen"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "unlocked"))
                .as("a method without a lock")
                .rejects(hints);
    }

    @Test
    void typesReadByExpressionsHaveHints() {
        RuntimeHints hints = ours(Orders.class, Tenants.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Order.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .as("a parameter")
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Line.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .as("an element of a parameter")
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Tenants.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .as("a bean")
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(String.class)).rejects(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Unread.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .as("the parameter of a lock without an expression")
                .rejects(hints);
    }

    @Test
    void attributesOfAnnotationsHaveHints() {
        RuntimeHints hints = process(Composed.class);
        assertThat(List.of(
                        OrderLock.class,
                        OrderLocks.class,
                        DistributedLock.class,
                        DistributedLocks.class,
                        LockDefaults.class,
                        NoDistributedLock.class))
                .allMatch(annotation -> RuntimeHintsPredicates.reflection()
                        .onType(annotation)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)
                        .test(hints));
    }

    @Test
    void wrongHandlerFailsTheBuild() {
        assertThatException()
                .isThrownBy(() -> process(WrongHandler.class))
                .satisfies(ex -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
                        .isInstanceOf(LockDefinitionException.class)
                        .hasMessageContaining("'missing'"));
    }

    @Test
    void contextWithoutLocksHasNoHints() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Tenants.class)) {
            assertThat(new LockedBeanAotProcessor()
                            .processAheadOfTime(RegisteredBean.of(
                                    context.getDefaultListableBeanFactory(),
                                    context.getBeanNamesForType(Tenants.class)[0])))
                    .isNull();
        }
    }

    /** Returns only the hints of Baton, without those of Spring for beans that are proxied by class. */
    private static RuntimeHints ours(Class<?>... beans) {
        try (AnnotationConfigApplicationContext context = LockedContext.start(beans)) {
            DefaultGenerationContext generation = generation();
            RegisteredBean bean = RegisteredBean.of(
                    context.getDefaultListableBeanFactory(), context.getBeanNamesForType(beans[0])[0]);
            new LockedBeanAotProcessor().processAheadOfTime(bean).applyTo(generation, null);
            return generation.getRuntimeHints();
        }
    }

    /** Returns all hints of the processing of a context. */
    private static RuntimeHints process(Class<?>... beans) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(LockConfiguration.class);
            Arrays.stream(beans).forEach(context::register);
            DefaultGenerationContext generation = generation();
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }

    private static DefaultGenerationContext generation() {
        return new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(LockedBeanHintsTests.class)), new InMemoryGeneratedFiles());
    }

    public record Order(String id, Unread customer) {}

    public record Line(String number) implements LockKeyed {

        @Override
        public Object lockKey() {
            return number;
        }
    }

    public static class Unread {}

    public static class Tenants {

        public String current() {
            return "acme";
        }
    }

    public static class Orders {

        @DistributedLock(scope = "desk")
        @DistributedLock(key = "#order.id", onTimeout = "stillOpen")
        public void close(Order order) {
            // locked
        }

        @SuppressWarnings("unused") // called by its name
        private void stillOpen(Order order, LockTimeoutException ex) {
            // answers
        }

        @DistributedLock(key = {"@'lockedBeanHintsTests.Tenants'.current()", "#lines"})
        public void ship(List<Line> lines) {
            // locked
        }

        @DistributedLock
        public void archive(Unread unread) {
            // locked
        }

        protected void unlocked() {
            // not locked
        }
    }

    public static class WrongHandler {

        @DistributedLock(onTimeout = "missing")
        public void close() {
            // not reached
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    public @interface OrderLocks {

        OrderLock[] value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock
    @Repeatable(OrderLocks.class)
    public @interface OrderLock {

        @AliasFor(annotation = DistributedLock.class, attribute = "key")
        String[] id() default {};
    }

    @LockDefaults(expire = 5)
    public static class Composed {

        @OrderLock(id = "#id")
        public void close(String id) {
            // locked
        }

        @NoDistributedLock
        public void open() {
            // not locked
        }
    }
}
