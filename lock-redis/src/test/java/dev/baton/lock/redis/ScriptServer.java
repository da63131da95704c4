package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;

/**
 * The server of the script tests: one for all of them, for they run one after the other and each empties it first. It is a
 * container if {@link DockerRedis#image()} names one.
 */
public final class ScriptServer {

    private ScriptServer() {}

    public static RedisView redis() {
        return Running.REDIS;
    }

    /** Ends a server that does not answer and starts it again, empty, on the same port. */
    public static void restart() {
        if (!(Running.REDIS instanceof TestRedis redis)) {
            throw new IllegalStateException("Only a server of our own can be restarted, not " + Running.REDIS);
        }
        redis.restart();
    }

    private static final class Running {

        static final RedisView REDIS = DockerRedis.image().isEmpty() ? TestRedis.start() : DockerRedis.start();
    }
}
