package dev.baton.compatibility;

import dev.baton.lock.harness.TestCluster;

/** The Redis Cluster of these tests. It ends with the JVM. */
final class SharedCluster {

    private static final TestCluster CLUSTER = TestCluster.start(3, false);

    private SharedCluster() {}

    /** Returns the address of one server. */
    static String nodes() {
        return CLUSTER.addresses().get(0);
    }
}
