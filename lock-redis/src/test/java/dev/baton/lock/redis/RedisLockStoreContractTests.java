package dev.baton.lock.redis;

import dev.baton.lock.support.Backend;
import dev.baton.lock.test.LockStoreContract;
import dev.baton.lock.test.StoreHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the contract of a store with the store on Redis, over each client. */
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
