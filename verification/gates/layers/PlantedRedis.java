// plant: lock-redis/src/main/java/dev/baton/lock/redis/PlantedRedis.java
// gate: layers, redis -> support | LayerTests\.redisKnowsNoEngine
package dev.baton.lock.redis;

import dev.baton.lock.support.LockTemplate;

/** Knows the template that asks it. */
public final class PlantedRedis {

    private final Class<?> support = LockTemplate.class;

    @Override
    public String toString() {
        return support.toString();
    }
}
