// plant: lock-core/src/main/java/dev/baton/lock/redis/PlantedRedis.java
// gate: layers, redis -> interceptor | LayerTests\.redisKnowsNoEngine
// gate: layers, cycle | LayerTests\.packagesHaveNoCycles
package dev.baton.lock.redis;

import dev.baton.lock.interceptor.PlantedInterceptor;

/** Closes the circle annotation, support, redis, interceptor, annotation. */
public final class PlantedRedis {

    private final PlantedInterceptor interceptor = new PlantedInterceptor();

    @Override
    public String toString() {
        return interceptor.toString();
    }
}
