package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitTime;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

/** Tests several {@code @DistributedLock}s at one place: which locks and which request they declare. */
class RepeatedLockTests {

    private static final String HERE = RepeatedLockTests.class.getName() + "$";

    private static final LockAttribute ORDER =
            LockAttribute.of(LockRequest.of("order")).key("#order");
    private static final LockAttribute CUSTOMER =
            LockAttribute.of(LockRequest.of("customer")).key("#customer");

    private final AnnotationLockAttributeSource source =
            new AnnotationLockAttributeSource(text -> text.replace("${two}", "2s"));

    @Test
    void locksOfAMethodAreOneRequest() {
        assertThat(lock(Orders.class, "repeated")).isEqualTo(ORDER.and(CUSTOMER));
    }

    @Test
    void containerMayBeWrittenOut() {
        assertThat(lock(Orders.class, "contained")).isEqualTo(ORDER.and(CUSTOMER));
        assertThat(lock(Orders.class, "besideTheContainer").locks())
                .containsExactlyInAnyOrderElementsOf(CUSTOMER.and(ORDER).locks());
    }

    @Test
    void composedAnnotationsCount() {
        assertThat(lock(Orders.class, "composed").locks())
                .containsExactlyInAnyOrderElementsOf(ORDER.and(CUSTOMER).locks());
        assertThat(lock(Orders.class, "both").request())
                .isEqualTo(
                        LockRequest.of("order").and(LockRequest.of("customer")).waitTime(Duration.ofSeconds(7)));
    }

    @Test
    void attributesOfTheRequestMayBeOnAnyAnnotation() {
        LockRequest request = lock(Orders.class, "spread").request();
        assertThat(request.expire()).isEqualTo(Duration.ofSeconds(10));
        assertThat(request.waitTime()).isEqualTo(WaitTime.of(Duration.ofSeconds(2)));
        assertThat(request.namespace()).isEqualTo("shop");
        assertThat(lock(Orders.class, "spread").onTimeout()).isEqualTo("busy");
    }

    @Test
    void equalValuesMayBeWrittenDifferently() {
        assertThat(lock(Orders.class, "equal").request().waitTime()).isEqualTo(WaitTime.of(Duration.ofSeconds(2)));
    }

    @Test
    void interfaceAndBridgeMethodsHaveTheirLocks() throws NoSuchMethodException {
        Method ofInterface = Closer.class.getMethod("close", Object.class);
        Method bridge = Arrays.stream(TextCloser.class.getDeclaredMethods())
                .filter(Method::isBridge)
                .findFirst()
                .orElseThrow();
        assertThat(List.of(ofInterface, bridge))
                .allSatisfy(method -> assertThat(source.getLockAttribute(method, TextCloser.class))
                        .isEqualTo(LockAttribute.of(LockRequest.of("order"))
                                .key("#p0")
                                .and(LockAttribute.of(LockRequest.of("day")))));
    }

    @Test
    void unrelatedInterfacesMayDeclareTheSameLocksInAnotherOrder() {
        assertThat(lock(Agreed.class, "open").locks()).hasSize(2);
        assertThatThrownBy(() -> lock(Disagreed.class, "open"))
                .isInstanceOf(LockDefinitionException.class)
                .hasMessageContaining("declare different locks for it");
    }

    @Test
    void classProtectsItsMethodsWithAllItsLocks() {
        assertThat(lock(Desk.class, "inherits").request())
                .isEqualTo(LockRequest.of("desk").and(LockRequest.of("room")).expire(Duration.ofSeconds(5)));
        assertThat(lock(Desk.class, "faster").request())
                .as("a method that leaves scope and key open")
                .isEqualTo(LockRequest.of("desk")
                        .and(LockRequest.of("room"))
                        .expire(Duration.ofSeconds(5))
                        .waitTime(WaitTime.none()));
    }

    @Test
    void methodReplacesTheLocksOfItsClass() {
        assertThat(lock(Desk.class, "other").request())
                .isEqualTo(LockRequest.of("other").expire(Duration.ofSeconds(5)));
        assertThat(lock(Desk.class, "exempt")).isNull();
    }

    @Test
    void openScopeAndKeyComeFromTheNextPlace() {
        assertThat(lock(Accounts.class, "transfer"))
                .isEqualTo(LockAttribute.of(LockRequest.of("account"))
                        .key("#from")
                        .and(LockAttribute.of(LockRequest.of("account")).key("#to")));
    }

    @Test
    void scopeOfTheMethodMayBeOneOfSeveral() {
        assertThat(lock(Orders.class, "unnamed").request())
                .isEqualTo(LockRequest.of(HERE + "Orders.unnamed").and(LockRequest.of("day")));
    }

    private @Nullable LockAttribute lock(Class<?> type, String name) {
        Method method = Arrays.stream(type.getMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return source.getLockAttribute(method, type);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(scope = "order")
    public @interface OrderLock {

        @AliasFor(annotation = DistributedLock.class, attribute = "key")
        String[] order();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(scope = "customer")
    public @interface CustomerLock {

        @AliasFor(annotation = DistributedLock.class, attribute = "key")
        String[] customer();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(scope = "order")
    @DistributedLock(scope = "customer")
    public @interface Both {

        @AliasFor(annotation = DistributedLock.class, attribute = "waitTime")
        long patience();
    }

    public static class Orders {

        @DistributedLock(scope = "order", key = "#order")
        @DistributedLock(scope = "customer", key = "#customer")
        public void repeated(long order, String customer) {}

        @DistributedLocks({
            @DistributedLock(scope = "order", key = "#order"),
            @DistributedLock(scope = "customer", key = "#customer")
        })
        public void contained(long order, String customer) {}

        @DistributedLock(scope = "customer", key = "#customer")
        @DistributedLocks(@DistributedLock(scope = "order", key = "#order"))
        public void besideTheContainer(long order, String customer) {}

        @OrderLock(order = "#order")
        @CustomerLock(customer = "#customer")
        public void composed(long order, String customer) {}

        @Both(patience = 7)
        public void both() {}

        @DistributedLock(scope = "order", expire = 10, onTimeout = "busy")
        @DistributedLock(scope = "customer", waitTimeString = "${two}")
        @DistributedLock(scope = "day", namespace = "shop")
        public void spread() {}

        @DistributedLock(scope = "order", waitTime = 2)
        @DistributedLock(scope = "customer", waitTimeString = "${two}")
        public void equal() {}

        @DistributedLock
        @DistributedLock(scope = "day")
        public void unnamed() {}
    }

    public interface Closer<T> {

        @DistributedLock(scope = "order", key = "#p0")
        @DistributedLock(scope = "day")
        void close(T order);
    }

    public static class TextCloser implements Closer<String> {

        @Override
        public void close(String order) {}
    }

    public interface Door {

        @DistributedLock("door")
        @DistributedLock("house")
        void open();
    }

    public interface Gate {

        @DistributedLock("house")
        @DistributedLock("door")
        void open();
    }

    public interface Hatch {

        @DistributedLock("door")
        void open();
    }

    public static class Agreed implements Door, Gate {

        @Override
        public void open() {}
    }

    public static class Disagreed implements Door, Hatch {

        @Override
        public void open() {}
    }

    @DistributedLock(scope = "desk", expire = 5)
    @DistributedLock(scope = "room")
    public static class Desk {

        public void inherits() {}

        @DistributedLock(waitTime = 0)
        public void faster() {}

        @DistributedLock(scope = "other")
        public void other() {}

        @NoDistributedLock
        public void exempt() {}
    }

    @LockDefaults(scope = "account")
    public static class Accounts {

        @DistributedLock(key = "#from")
        @DistributedLock(key = "#to")
        public void transfer(long from, long to) {}
    }
}
