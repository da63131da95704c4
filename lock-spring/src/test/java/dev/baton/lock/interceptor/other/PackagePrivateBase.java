package dev.baton.lock.interceptor.other;

import dev.baton.lock.annotation.DistributedLock;

/** A base class with a method that a class of another package cannot override. */
public class PackagePrivateBase {

    @DistributedLock("orders")
    void close(String id) {}
}
