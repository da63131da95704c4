package dev.baton.lock.test;

/** The store in memory keeps the contract of a store. */
class InMemoryLockStoreTests extends LockStoreContract {

    @Override
    protected StoreHost host() {
        return new MemoryStoreHost();
    }
}
