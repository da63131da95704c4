package dev.baton.lock.redis;

import dev.baton.lock.redis.key.RedisKeys;

/** The channel in which a process is told, for tests that look at Redis themselves. */
public final class InboxChannel {

    private InboxChannel() {}

    /** In the namespace {@code lock}. */
    public static String of(String instance) {
        return new RedisKeys("lock").inbox(instance);
    }
}
