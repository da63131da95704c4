package dev.baton.lock.interceptor.other;

import dev.baton.lock.annotation.DistributedLock;

/** Its method cannot be overridden by a class of another package. */
public class PackagePrivateBase {

    @DistributedLock("orders")
    void close(String id) {}
}
