package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockOperations;
import dev.baton.lock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;

/** Tests self-invocation, which bypasses the proxy of Spring: its effect, its detection, and the alternatives. */
class SelfInvocationTests extends CombinationFixture {

    @Test
    void selfInvocationRunsWithoutTheLock() {
        runner.withBean(Orders.class).run(context -> {
            assertThat(context.getBean(Orders.class).closeAllOnThis()).isEqualTo("without");
            assertThat(journal).isEmpty();
        });
    }

    @Test
    void currentLeaseOfASelfInvocationFailsWithAnExplanation() {
        runner.withBean(Orders.class)
                .run(
                        context -> assertThatIllegalStateException()
                                .isThrownBy(context.getBean(Orders.class)::tokenOnThis)
                                .withMessageContaining(
                                        "is not running under a lock; call the method with @DistributedLock on the bean, not on 'this'"));
    }

    @Test
    void beanInjectedIntoItselfAcquiresTheLock() {
        runner.withBean(Orders.class).run(context -> {
            assertThat(context.getBean(Orders.class).closeAllOnTheBean()).isEqualTo("locked");
            assertThat(journal).containsExactly("lock order.global", "release order.global");
        });
    }

    @Test
    void anotherBeanAcquiresTheLock() {
        runner.withBean(Orders.class).withBean(Shop.class).run(context -> {
            assertThat(context.getBean(Shop.class).closeAll()).isEqualTo("locked");
            assertThat(journal).containsExactly("lock order.global", "release order.global");
        });
    }

    @Test
    void templateAcquiresTheLock() {
        runner.withBean(Orders.class).run(context -> {
            assertThat(context.getBean(Orders.class).closeAllByTemplate()).isEqualTo("locked");
            assertThat(journal).containsExactly("lock order.global", "release order.global");
        });
    }

    static class Orders {

        private final ObjectProvider<Orders> self;
        private final LockOperations locks;

        Orders(ObjectProvider<Orders> self, LockOperations locks) {
            this.self = self;
            this.locks = locks;
        }

        String closeAllOnThis() {
            return close();
        }

        long tokenOnThis() {
            return token();
        }

        String closeAllOnTheBean() {
            return self.getObject().close();
        }

        String closeAllByTemplate() {
            return locks.execute("order", "global", lease -> close());
        }

        @DistributedLock("order")
        String close() {
            return LockContext.findLease().isPresent() ? "locked" : "without";
        }

        @DistributedLock("order")
        long token() {
            return LockContext.currentLease().fencingToken();
        }
    }

    static class Shop {

        private final Orders orders;

        Shop(Orders orders) {
            this.orders = orders;
        }

        String closeAll() {
            return orders.close();
        }
    }
}
