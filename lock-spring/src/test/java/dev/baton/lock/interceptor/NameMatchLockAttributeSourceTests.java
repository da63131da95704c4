package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockRequest;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameMatchLockAttributeSourceTests {

    private static final String HERE = NameMatchLockAttributeSourceTests.class.getName() + "$";

    private static final LockAttribute ONE = LockAttribute.of(LockRequest.of("one"));
    private static final LockAttribute TWO = LockAttribute.of(LockRequest.of("two"));

    @Test
    void matchesMethodsByTheClassOfTheBean() {
        LockAttributeSource source = source(HERE + "Invoices.close*");
        assertThat(lock(source, Invoices.class, "close")).isEqualTo(ONE);
        assertThat(lock(source, Invoices.class, "closeAll")).isEqualTo(ONE);
        assertThat(lock(source, Invoices.class, "open")).isNull();
        assertThat(lock(source, Other.class, "close")).isNull();
    }

    @Test
    void matchesMethodsBySuperclassAndInterface() {
        assertThat(lock(source(HERE + "Base.*"), Invoices.class, "inherited")).isEqualTo(ONE);
        assertThat(lock(source(HERE + "Base.*"), Invoices.class, "open")).isNull();
        assertThat(lock(source("*Closer.close"), Invoices.class, "close")).isEqualTo(ONE);
    }

    @Test
    void matchesPublicMethodsOnly() {
        LockAttributeSource source = source(HERE + "Invoices.*");
        assertThat(lock(source, Invoices.class, "packagePrivate")).isNull();
        assertThat(lock(source, Invoices.class, "forAll")).isNull();
        assertThat(lock(source, Invoices.class, "toString")).isNull();
        assertThat(lock(source, Invoices.class, "open")).isEqualTo(ONE);
    }

    @Test
    void longestPatternWins() {
        LockAttributeSource source =
                new NameMatchLockAttributeSource(Map.of("*Invoices.*", ONE, HERE + "Invoices.closeAll", TWO));
        assertThat(lock(source, Invoices.class, "closeAll")).isEqualTo(TWO);
        assertThat(lock(source, Invoices.class, "close")).isEqualTo(ONE);
    }

    @Test
    void classesOfTheJdkAreNoCandidates() {
        assertThat(source("*.*").isCandidateClass(String.class)).isFalse();
        assertThat(source("*.*").isCandidateClass(Invoices.class)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "close", ".close", "com.acme.Invoices.", "com.acme.Invoices.close(..)", "a b.c"})
    void patternWithoutAClassOrMethodIsRefused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(pattern))
                .withMessage(
                        "pattern '" + pattern + "' names no class and method; write it as 'com.acme.Invoices.close*',"
                                + " without parameters");
    }

    @Test
    void missingPatternIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NameMatchLockAttributeSource(Map.of()));
    }

    @Test
    void contradictoryAttributesAreRefused() {
        LockRequest order = LockRequest.of("order");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockAttribute.of(LockRequest.of("order", 7)).key("#id"))
                .withMessage(
                        "key [#id] and a request for 'order.7' are both given; give the request a scope only, or leave"
                                + " the key out");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockAttribute.of(order.owner("a")).owner("#b"))
                .withMessage("owner '#b' and a request of the owner 'a' are both given; keep one of them");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockAttribute.of(order).onTimeout("busy").whenBusy(dev.baton.lock.WhenBusy.SKIP))
                .withMessage("whenBusy = SKIP and onTimeout = 'busy' are both given; keep one of them");
    }

    private static LockAttributeSource source(String pattern) {
        return new NameMatchLockAttributeSource(Map.of(pattern, ONE));
    }

    private static @Nullable LockAttribute lock(LockAttributeSource source, Class<?> type, String name) {
        Method found = null;
        for (Class<?> at = type; found == null && at != null; at = at.getSuperclass()) {
            found = Arrays.stream(at.getDeclaredMethods())
                    .filter(method -> method.getName().equals(name))
                    .findFirst()
                    .orElse(null);
        }
        assertThat(found).isNotNull();
        return source.getLockAttribute(found, type);
    }

    public interface Closer {
        void close();
    }

    public static class Base {
        public void inherited() {}
    }

    public static class Invoices extends Base implements Closer {
        @Override
        public void close() {}

        public void closeAll() {}

        public void open() {}

        void packagePrivate() {}

        public static void forAll() {}

        @Override
        public String toString() {
            return "invoices";
        }
    }

    public static class Other {
        public void close() {}
    }
}
