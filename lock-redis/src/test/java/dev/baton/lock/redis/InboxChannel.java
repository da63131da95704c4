package dev.baton.lock.redis;

import dev.baton.lock.redis.key.RedisKeys;

/** Names the inbox channel of a process, for tests that access Redis directly. */
public final class InboxChannel {

    private InboxChannel() {}

    /** Returns the channel in the namespace {@code lock}. */
    public static String of(String instance) {
        return new RedisKeys("lock").inbox(instance);
    }
}
