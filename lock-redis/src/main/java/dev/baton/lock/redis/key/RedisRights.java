package dev.baton.lock.redis.key;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;

/**
 * Lists the rights that the Redis user of an application needs, as {@code ACL SETUSER} takes them. The list of commands
 * is that of docs/operations.md. Pure.
 */
final class RedisRights {

    private static final String COMMANDS = "+time +exists +pttl +pexpire +get +mget +set +del +hmget +hset +hdel"
            + " +zadd +zrem +zrange +zrevrange +zscore +zcard +scan +publish +pubsub|numsub +subscribe +unsubscribe +select";

    private static final String SCRIPTS = " +eval +evalsha +zpopmin";
    private static final String CLUSTER = " +cluster|slots";
    private static final String ACKNOWLEDGED = " +wait";
    private static final String PAUSING = " +info";
    private static final String TRANSACTIONS = " +watch +unwatch +multi +exec";

    private RedisRights() {}

    /**
     * Returns the rights of a user.
     *
     * @param root the first part of every key and channel
     * @param handler the handler; {@link LockHandler#AUTO} counts as {@link LockHandler#SCRIPT}
     * @param configures whether the store may change {@code notify-keyspace-events}
     * @param cluster whether the servers form a Redis Cluster
     * @param acknowledged whether replicas have to acknowledge grants
     * @param pausing whether grants pause after a change of the primary
     */
    static String of(
            String root,
            LockHandler handler,
            WaitStrategy strategy,
            boolean configures,
            boolean cluster,
            boolean acknowledged,
            boolean pausing) {
        String rights = "~" + root + ":* resetchannels &" + root + ":* " + COMMANDS
                + (handler == LockHandler.TRANSACTION ? TRANSACTIONS : SCRIPTS)
                + (cluster ? CLUSTER : "")
                + (acknowledged ? ACKNOWLEDGED : "")
                + (pausing ? PAUSING : "");
        if (strategy != WaitStrategy.KEYSPACE) {
            return rights;
        }
        return rights + " &__keyspace@*" + (configures ? " +config|get +config|set" : "");
    }
}
