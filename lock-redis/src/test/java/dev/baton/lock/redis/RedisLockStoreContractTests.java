package dev.baton.lock.redis;

import dev.baton.lock.support.Backend;
import dev.baton.lock.test.LockStoreContract;
import dev.baton.lock.test.StoreHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The store on Redis keeps the contract of a store, over each client. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class RedisLockStoreContractTests extends LockStoreContract {

    private final Backend backend;

    RedisLockStoreContractTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected StoreHost host() {
        return new RedisStoreHost(backend);
    }
}
