// plant: lock-spring/src/main/java/dev/baton/lock/cache/PlantedStoreOfCaches.java
// gate: modules, lock-spring -> lock-redis | PlantedStoreOfCaches\.java:.*package dev\.baton\.lock\.redis does not exist
package dev.baton.lock.cache;

import dev.baton.lock.redis.RedisLockStore;

/** Knows where the locks are kept. */
public final class PlantedStoreOfCaches {

    private final Class<?> redis = RedisLockStore.class;

    @Override
    public String toString() {
        return redis.toString();
    }
}
