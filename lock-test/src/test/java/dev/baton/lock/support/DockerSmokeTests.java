package dev.baton.lock.support;

import dev.baton.lock.redis.ScriptServer;
import dev.baton.lock.test.DockerRedis;
import dev.baton.lock.test.RedisView;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on the Redis, or Valkey, of a container image. */
@Tag("docker")
class DockerSmokeTests extends SmokeContract {

    @BeforeAll
    static void needsDocker() {
        DockerRedis.assume();
    }

    @Override
    RedisView redis() {
        return ScriptServer.redis();
    }
}
