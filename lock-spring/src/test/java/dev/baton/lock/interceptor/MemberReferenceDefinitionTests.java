package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.stereotype.Component;

/** Tests that a mistyped property or method of a parameter in an expression fails the start. */
class MemberReferenceDefinitionTests {

    private static final String PROPERTY = "Write the name of a public getter, field or accessor method";
    private static final String METHOD = "Write the name of a public method";
    private static final String HERE = MemberReferenceDefinitionTests.class.getName() + "$";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void mistypedMemberFailsTheStart(Class<?> bean, String attribute, String problem, String action) {
        LockDefinitionException failure = LockedContext.failure(bean, Other.class);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).startsWith("close(");
        assertThat(failure.attribute()).hasValue(attribute);
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action + ".");
    }

    static Stream<Arguments> mistypedMemberFailsTheStart() {
        return Stream.of(closedTypes(), closedTypesOfTheJdk(), openTypes()).flatMap(cases -> cases);
    }

    private static Stream<Arguments> closedTypes() {
        return Stream.of(
                arguments(
                        OfRecord.class,
                        "key",
                        "'#order.custmer' reads 'custmer', and " + HERE + "Order has no such public property",
                        "Did you mean 'customer'? " + PROPERTY),
                arguments(
                        ByPosition.class,
                        "owner",
                        "'#p1.Id' reads 'Id', and " + HERE + "Order has no such public property",
                        "Did you mean 'id'? " + PROPERTY),
                arguments(
                        NothingNear.class,
                        "key",
                        "'#order.number' reads 'number', and " + HERE + "Order has no such public property",
                        PROPERTY),
                arguments(
                        Chain.class,
                        "condition",
                        "'#order?.seat?.rwo > 3' reads 'rwo', and " + HERE + "Seat has no such public property",
                        "Did you mean 'row'? " + PROPERTY),
                arguments(
                        InArgument.class,
                        "onTimeout",
                        "'@other.of(#order.seat().numbr)' reads 'numbr', and " + HERE
                                + "Seat has no such public property",
                        "Did you mean 'number'? " + PROPERTY),
                arguments(
                        InProjection.class,
                        "key",
                        "'#ids.![#order.custmer]' reads 'custmer', and " + HERE + "Order has no such public property",
                        "Did you mean 'customer'? " + PROPERTY));
    }

    private static Stream<Arguments> closedTypesOfTheJdk() {
        return Stream.of(
                arguments(
                        OfEnum.class,
                        "key",
                        "'#day.vlaue' reads 'vlaue', and java.time.DayOfWeek has no such public property",
                        "Did you mean 'value'? " + PROPERTY),
                arguments(
                        OfPrimitive.class,
                        "key",
                        "'#id.value' reads 'value', and java.lang.Long has no such public property",
                        PROPERTY),
                arguments(
                        Method.class,
                        "key",
                        "'#order.custmer()' calls custmer(..), and " + HERE + "Order has no such public method",
                        "Did you mean 'customer(..)'? " + METHOD),
                arguments(
                        OfText.class,
                        "key",
                        "'#id.toLowercase()' calls toLowercase(..), and java.lang.String has no such public method",
                        "Did you mean 'toLowerCase(..)'? " + METHOD),
                arguments(
                        OfRoot.class,
                        "key",
                        "'#root.taget' reads 'taget', and #root has no such public property",
                        "Did you mean 'target'? " + PROPERTY),
                arguments(
                        OfRootMethod.class,
                        "key",
                        "'#root.method.nam' reads 'nam', and java.lang.reflect.Method has no such public property",
                        "Did you mean 'name'? " + PROPERTY));
    }

    private static Stream<Arguments> openTypes() {
        return Stream.of(
                arguments(
                        OfClass.class,
                        "key",
                        "'#account.onwer.name' reads 'onwer', and " + HERE + "Account has no such public property",
                        "Did you mean 'owner'? " + PROPERTY + ", or write ['onwer'] if only a subclass has it"),
                arguments(
                        OfClassChain.class,
                        "key",
                        "'#account.owner.nmae' reads 'nmae', and " + HERE + "Owner has no such public property",
                        "Did you mean 'name'? " + PROPERTY + ", or write ['nmae'] if only a subclass has it"),
                arguments(
                        OfField.class,
                        "key",
                        "'#account.titel' reads 'titel', and " + HERE + "Account has no such public property",
                        "Did you mean 'title'? " + PROPERTY + ", or write ['titel'] if only a subclass has it"),
                arguments(
                        OfInterface.class,
                        "key",
                        "'#view.custmer' reads 'custmer', and " + HERE + "View has no such public property",
                        "Did you mean 'customer'? " + PROPERTY + ", or write ['custmer'] if only a subclass has it"),
                arguments(
                        OfInterfaceMethod.class,
                        "key",
                        "'#view.getCustmer()' calls getCustmer(..), and " + HERE + "View has no such public method",
                        "Did you mean 'getCustomer(..)'? " + METHOD
                                + ", or call it in a method of a bean if only a subclass has it"),
                arguments(
                        Resolved.class,
                        "key",
                        "'#value.custmer' reads 'custmer', and " + HERE + "Order has no such public property",
                        "Did you mean 'customer'? " + PROPERTY));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Members.class,
                Inherited.class,
                OfASubclass.class,
                OfAPermittedSubclass.class,
                Unknown.class,
                Unresolved.class,
                MethodVariable.class
            })
    void membersThatAreThereOrUnknownPass(Class<?> bean) {
        assertThatCode(() -> LockedContext.start(bean, Other.class).close()).doesNotThrowAnyException();
    }

    /** The remedy of the message. */
    @Test
    void propertyOfASubclassCanBeReadByIndex() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(ByIndex.class)) {
            context.getBean(ByIndex.class).close(new Savings());
            assertThat(context.getBean(FakeLockOperations.class).lastRequest().name())
                    .isEqualTo("orders.seven");
        }
    }

    record Order(String id, String customer, Seat seat) {}

    record Seat(int row, int number) {}

    static class Account {
        public String title = "";

        public Owner getOwner() {
            return new Owner();
        }

        public boolean isOpen() {
            return true;
        }
    }

    static class Owner {
        public String getName() {
            return "";
        }
    }

    static class Savings extends Account {
        public String getOwners() {
            return "seven";
        }

        public String getInterest() {
            return "";
        }
    }

    interface View {
        String getCustomer();
    }

    sealed interface Command permits Create, Delete {
        String customer();
    }

    record Create(String customer, String customers) implements Command {}

    record Delete(String customer) implements Command {}

    static class OfRecord {
        @DistributedLock(scope = "orders", key = "#order.custmer")
        void close(Order order) {}
    }

    static class ByPosition {
        @DistributedLock(scope = "orders", owner = "#p1.Id")
        void close(String id, Order order) {}
    }

    static class NothingNear {
        @DistributedLock(scope = "orders", key = "#order.number")
        void close(Order order) {}
    }

    static class Chain {
        @DistributedLock(scope = "orders", condition = "#order?.seat?.rwo > 3")
        void close(Order order) {}
    }

    static class InArgument {
        @DistributedLock(scope = "orders", onTimeout = "@other.of(#order.seat().numbr)")
        void close(Order order) {}
    }

    static class InProjection {
        @DistributedLock(scope = "orders", key = "#ids.![#order.custmer]")
        void close(List<String> ids, Order order) {}
    }

    static class OfEnum {
        @DistributedLock(scope = "orders", key = "#day.vlaue")
        void close(DayOfWeek day) {}
    }

    static class OfPrimitive {
        @DistributedLock(scope = "orders", key = "#id.value")
        void close(long id) {}
    }

    static class Method {
        @DistributedLock(scope = "orders", key = "#order.custmer()")
        void close(Order order) {}
    }

    static class OfText {
        @DistributedLock(scope = "orders", key = "#id.toLowercase()")
        void close(String id) {}
    }

    static class OfRoot {
        @DistributedLock(scope = "orders", key = "#root.taget")
        void close(String id) {}
    }

    static class OfRootMethod {
        @DistributedLock(scope = "orders", key = "#root.method.nam")
        void close(String id) {}
    }

    static class OfClass {
        @DistributedLock(scope = "orders", key = "#account.onwer.name")
        void close(Account account) {}
    }

    static class OfClassChain {
        @DistributedLock(scope = "orders", key = "#account.owner.nmae")
        void close(Account account) {}
    }

    static class OfField {
        @DistributedLock(scope = "orders", key = "#account.titel")
        void close(Account account) {}
    }

    static class OfInterface {
        @DistributedLock(scope = "orders", key = "#view.custmer")
        void close(View view) {}
    }

    static class OfInterfaceMethod {
        @DistributedLock(scope = "orders", key = "#view.getCustmer()")
        void close(View view) {}
    }

    abstract static class Handler<T> {
        @DistributedLock(scope = "orders", key = "#value.custmer")
        void close(T value) {}
    }

    static class Resolved extends Handler<Order> {}

    static class Unresolved extends Handler<Object> {}

    static class MethodVariable extends Generic<Order> {
        @DistributedLock(scope = "orders", key = "#value.custmer")
        <T> void close(T value) {}
    }

    abstract static class Generic<T> {}

    static class Members {
        @DistributedLock(
                scope = "orders",
                key = {"#order.id", "#order.customer().length", "#order.seat.row", "#order.class.name"},
                condition =
                        "#account.open && #account.isOpen() && #account.title.empty && #account?.owner?.name != null",
                owner = "#root.method.name + #root.targetClass.simpleName + #root.args.length + #root.target.id")
        void close(Order order, Account account) {}
    }

    static class Inherited {
        @DistributedLock(
                scope = "orders",
                key = {"#savings.owner.name", "#savings.interest", "#day.name", "#view.class.name", "#view.hashCode()"})
        void close(Savings savings, DayOfWeek day, View view) {}
    }

    static class OfASubclass {
        @DistributedLock(
                scope = "orders",
                key = {"#account.interest", "#view.number", "#account['owners']"})
        void close(Account account, View view) {}
    }

    static class OfAPermittedSubclass {
        @DistributedLock(
                scope = "orders",
                key = {"#command.customers", "#command.customers()"})
        void close(Command command) {}
    }

    static class Unknown {
        @DistributedLock(
                scope = "orders",
                key = {"#map.custmer", "#any.custmer", "#optional?.custmer", "#list.custmer", "#type.custmer", "#ids.x"
                },
                condition = "#orders.?[custmer == 1].size() > 0 && #map['order'].custmer == #orders[0].custmer")
        void close(
                Map<String, Order> map,
                Object any,
                Optional<Order> optional,
                List<Order> list,
                Class<Order> type,
                long[] ids,
                List<Order> orders) {}
    }

    static class ByIndex {
        @DistributedLock(scope = "orders", key = "#account['owners']")
        void close(Account account) {}
    }

    @Component("other")
    static class Other {
        public String of(int number) {
            return "" + number;
        }
    }
}
