package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.support.Backend;
import dev.baton.lock.test.BasicStoreContract;
import dev.baton.lock.test.StoreHost;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the contract of a store with transactions on Redis, over each client. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class TransactionStoreContractTests extends BasicStoreContract {

    private final Backend backend;

    TransactionStoreContractTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected StoreHost host() {
        return new RedisStoreHost(backend, LockHandler.TRANSACTION);
    }
}
