package dev.baton.lock.test;

/** Tests the contract of a store with the store in memory. */
class InMemoryLockStoreTests extends LockStoreContract {

    @Override
    protected StoreHost host() {
        return new MemoryStoreHost();
    }
}
