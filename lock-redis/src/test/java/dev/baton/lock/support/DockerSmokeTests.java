package dev.baton.lock.support;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.DockerRedis;
import dev.baton.lock.redis.ScriptServer;
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
