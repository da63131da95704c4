package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;

/**
 * Provides the server of the script tests, which run one after the other and empty the server first. The server is a
 * container if {@link DockerRedis#image()} names an image.
 */
public final class ScriptServer {

    private ScriptServer() {}

    public static RedisView redis() {
        return SharedServer.REDIS;
    }

    /** Restarts a server that does not answer, empty and on the same port. */
    public static void restart() {
        if (!(SharedServer.REDIS instanceof TestRedis redis)) {
            throw new IllegalStateException(
                    "Only a server started by the tests can be restarted, not " + SharedServer.REDIS);
        }
        redis.restart();
    }

    private static final class SharedServer {

        static final RedisView REDIS = DockerRedis.image().isEmpty() ? TestRedis.start() : DockerRedis.start();
    }
}
