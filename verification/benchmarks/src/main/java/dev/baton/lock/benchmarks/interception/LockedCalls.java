package dev.baton.lock.benchmarks.interception;

import dev.baton.lock.annotation.DistributedLock;

/** The same work, with the lock around it declared in several ways. */
public class LockedCalls {

    static final String SCOPE = "server_access";
    static final int EXPIRE_SECONDS = 10;

    /** The work itself. */
    public static int work(String id) {
        return id.length();
    }

    /** The key {@code global}, which needs no expression. */
    @DistributedLock(scope = SCOPE, expire = EXPIRE_SECONDS)
    public int constant(String id) {
        return work(id);
    }

    /** A parameter as the key. */
    @DistributedLock(scope = SCOPE, key = "#id", expire = EXPIRE_SECONDS)
    public int keyed(String id) {
        return work(id);
    }
}
