package dev.baton.lock.redis;

import dev.baton.lock.support.ClusterBackend;
import dev.baton.lock.test.LockStoreContract;
import dev.baton.lock.test.StoreHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the contract of a store with the store in a Redis Cluster, over each client. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.ClusterBackend#all")
@Tag("nightly")
class ClusterStoreContractTests extends LockStoreContract {

    private final ClusterBackend backend;

    ClusterStoreContractTests(ClusterBackend backend) {
        this.backend = backend;
    }

    @Override
    protected StoreHost host() {
        return new ClusterStoreHost(backend);
    }
}
