package dev.baton.compatibility;

import org.junit.jupiter.api.Tag;

/** The same in a Redis Cluster, of which the configuration names one server. */
@Tag("nightly")
class LettuceClusterSmokeTests extends SmokeTests {

    @Override
    String driver() {
        return "lettuce";
    }

    @Override
    String nodes() {
        return SharedCluster.nodes();
    }
}
