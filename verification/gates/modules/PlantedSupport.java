// plant: lock-core/src/main/java/dev/baton/lock/support/PlantedSupport.java
// gate: modules, lock-core -> lock-redis | PlantedSupport\.java:.*package dev\.baton\.lock\.redis does not exist
package dev.baton.lock.support;

import dev.baton.lock.redis.RedisLockStore;

/** Goes past the store. */
public final class PlantedSupport {

    private final Class<?> redis = RedisLockStore.class;

    @Override
    public String toString() {
        return redis.toString();
    }
}
