// plant: lock-core/src/main/java/dev/baton/lock/support/PlantedTemplate.java
// gate: modules, Spring Data Redis outside lock-redis | PlantedTemplate\.java:.*package org\.springframework\.data\.redis\.core does not exist
package dev.baton.lock.support;

import org.springframework.data.redis.core.StringRedisTemplate;

/** Talks to Redis past the store. */
public final class PlantedTemplate {

    private final StringRedisTemplate template = new StringRedisTemplate();

    @Override
    public String toString() {
        return template.toString();
    }
}
