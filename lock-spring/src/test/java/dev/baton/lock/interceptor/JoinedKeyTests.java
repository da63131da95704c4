package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Tests keys and owners that are joined with {@code +}: a null in them is refused, and never becomes the text "null".
 */
class JoinedKeyTests {

    private static final String NULL =
            " is null, and + would turn it into the text \"null\", which all such calls would share; check the value before the lock is acquired";

    private static final String PARTS = ", and write the parts apart, as in key = {\"'order'\", \"#id\"}";

    private AnnotationConfigApplicationContext context;

    private Orders orders;

    private FakeLockOperations locks;

    @BeforeEach
    void start() {
        context = LockedContext.start(Orders.class, Numbers.class);
        orders = context.getBean(Orders.class);
        locks = context.getBean(FakeLockOperations.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void joinedNullIsRefusedByName() {
        assertRefused(() -> orders.close(null), "key ''order-' + #id' of Orders.close(..): #id" + NULL + PARTS);
        assertRefused(() -> orders.first(null), "key '#id + '-order'' of Orders.first(..): #id" + NULL + PARTS);
    }

    @Test
    void nullInTheMiddleIsRefusedByName() {
        assertRefused(
                () -> orders.three("a", null, "c"),
                "key '#a + ':' + #b + ':' + #c' of Orders.three(..): #b" + NULL + PARTS);
        assertRefused(
                () -> orders.three("a", "b", null),
                "key '#a + ':' + #b + ':' + #c' of Orders.three(..): #c" + NULL + PARTS);
    }

    @Test
    void nullPropertyIsRefusedByName() {
        assertRefused(
                () -> orders.property(new Order(null)),
                "key ''order-' + #order?.customer' of Orders.property(..): #order?.customer" + NULL + PARTS);
        assertRefused(
                () -> orders.property(null),
                "key ''order-' + #order?.customer' of Orders.property(..): #order?.customer" + NULL + PARTS);
    }

    @Test
    void nullInAnArgumentIsRefused() {
        assertRefused(
                () -> orders.argument(null),
                "key ''order'.concat('-' + #id)' of Orders.argument(..): #id" + NULL + PARTS);
    }

    @Test
    void nullInAnElementOfAProjectionIsRefused() {
        assertRefused(
                () -> orders.each(Arrays.asList("a", null)),
                "key '#ids.!['order-' + #this]' of Orders.each(..): #this" + NULL + PARTS);
        orders.each(List.of("a", "b"));
        assertThat(locks.lastRequest().names()).containsExactly("order.order-a", "order.order-b");
    }

    @Test
    void nullInAnUnusedBranchIsAllowed() {
        orders.branch(null);
        assertThat(locks.lastRequest().name()).isEqualTo("order.none-0");
        orders.branch("7");
        assertThat(locks.lastRequest().name()).isEqualTo("order.order-7");
    }

    @Test
    void nullInAnOwnerIsRefused() {
        assertRefused(() -> orders.owned(null), "owner ''user-' + #user' of Orders.owned(..): #user" + NULL);
        orders.owned("u");
        assertThat(locks.lastRequest().owner()).isEqualTo("user-u");
    }

    @Test
    void nullBesideANumberIsRefused() {
        assertRefused(() -> orders.next(null), "key '#number + 1' of Orders.next(..): #number" + NULL + PARTS);
    }

    @Test
    void operandsAreEvaluatedOnceAndFromLeftToRight() {
        orders.counted();
        assertThat(locks.lastRequest().name()).isEqualTo("order.1-2-3");
    }

    @Test
    void plusStillAddsNumbersAndJoinsTexts() {
        orders.next(41L);
        assertThat(locks.lastRequest().name()).isEqualTo("order.42");
        orders.next(new BigDecimal("0.5"));
        assertThat(locks.lastRequest().name()).isEqualTo("order.1%2E5");
        orders.calculated(10, 3);
        assertThat(locks.lastRequest().name()).isEqualTo("order.19=+a+b");
    }

    @Test
    void unsupportedOperandsFailAsInSpring() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.added(new Order("a"), new Order("b")))
                .withMessageStartingWith("key '#first + #second' of Orders.added(..) cannot be evaluated: EL1030E")
                .withMessageContaining("'ADD'");
    }

    @Test
    void twoCollectionsAreNamedByTheirExpressions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.several(List.of("a"), List.of("b")))
                .withMessageContaining(" and {#b.get(0) + 'x'} are both collections");
    }

    private void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
        assertThat(locks.requests()).isEmpty();
    }

    record Order(@Nullable String customer) {}

    static class Orders {

        @DistributedLock(scope = "order", key = "'order-' + #id")
        void close(@Nullable String id) {}

        @DistributedLock(scope = "order", key = "#id + '-order'")
        void first(@Nullable String id) {}

        @DistributedLock(scope = "order", key = "#a + ':' + #b + ':' + #c")
        void three(@Nullable String a, @Nullable String b, @Nullable String c) {}

        @DistributedLock(scope = "order", key = "'order-' + #order?.customer")
        void property(@Nullable Order order) {}

        @DistributedLock(scope = "order", key = "'order'.concat('-' + #id)")
        void argument(@Nullable String id) {}

        @DistributedLock(scope = "order", key = "#ids.!['order-' + #this]")
        void each(List<@Nullable String> ids) {}

        @DistributedLock(scope = "order", key = "#id == null ? 'none-' + 0 : 'order-' + #id")
        void branch(@Nullable String id) {}

        @DistributedLock(scope = "order", owner = "'user-' + #user")
        void owned(@Nullable String user) {}

        @DistributedLock(scope = "order", key = "#number + 1")
        void next(@Nullable Number number) {}

        @DistributedLock(scope = "order", key = "@numbers.next() + '-' + @numbers.next()+'-'+(@numbers.next())")
        void counted() {}

        @DistributedLock(scope = "order", key = "(#a - -#b + 2 * #b) +'=' + {'+a+b'}[+0]")
        void calculated(int a, int b) {}

        @DistributedLock(scope = "order", key = "#first + #second")
        void added(Order first, Order second) {}

        @DistributedLock(
                scope = "order",
                key = {"#a", "{#b.get(0) + 'x'}"})
        void several(List<String> a, List<String> b) {}
    }

    @Component("numbers")
    public static class Numbers {

        private final AtomicInteger last = new AtomicInteger();

        public int next() {
            return last.incrementAndGet();
        }
    }
}
