package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a template and its nested operations say in a log or a debugger which locks they acquire. */
class OperationsToStringTests {

    private final FakeLockStore store = new FakeLockStore();
    private final LockTemplate template = LockTemplate.builder(store).build();

    @AfterEach
    void stop() {
        template.engine().executors().stop();
    }

    @Test
    void templateNamesItsNamespaceAndItsStore() {
        store.namespace = "lock";
        assertThat(template).hasToString("LockTemplate[namespace=lock, store=the fake store]");
    }

    @Test
    void nestedOperationsNameTheWholeNamespace() {
        store.namespace = "lock";
        LockOperations orders = template.withNamespace("orders");
        assertThat(orders).hasToString("LockOperations[namespace=lock:orders]");
        assertThat(orders.withNamespace("eu:north")).hasToString("LockOperations[namespace=lock:orders:eu:north]");
    }

    @Test
    void operationsThatIgnoreTransactionsSaySo() {
        store.namespace = "lock";
        assertThat(template.ignoringTransactions()).hasToString("LockOperations[namespace=lock, ignoringTransactions]");
        assertThat(template.withNamespace("orders").ignoringTransactions())
                .hasToString("LockOperations[namespace=lock:orders, ignoringTransactions]")
                .hasToString(
                        template.ignoringTransactions().withNamespace("orders").toString());
    }

    @Test
    void storeWithoutANamespaceIsNotNamedByOne() {
        assertThat(template).hasToString("LockTemplate[store=the fake store]");
        assertThat(template.withNamespace("orders")).hasToString("LockOperations[namespace=orders]");
        assertThat(template.ignoringTransactions()).hasToString("LockOperations[ignoringTransactions]");
    }
}
