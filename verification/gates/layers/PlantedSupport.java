// plant: lock-core/src/main/java/dev/baton/lock/support/PlantedSupport.java
// gate: layers, support -> redis | LayerTests\.supportReachesRedisThroughTheStoreOnly
package dev.baton.lock.support;

import dev.baton.lock.redis.PlantedRedis;

/** Goes past the store. */
public final class PlantedSupport {

    private final PlantedRedis redis = new PlantedRedis();

    @Override
    public String toString() {
        return redis.toString();
    }
}
