package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The application on a Redis in a container, where Docker is. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Testcontainers(disabledWithoutDocker = true)
class ContainerTests {

    @Container
    @ServiceConnection(name = "redis")
    static final GenericContainer<?> REDIS = new GenericContainer<>("redis:8").withExposedPorts(6379);

    @Autowired
    private LockOperations locks;

    @Test
    void locksAreKeptInTheContainer() throws Exception {
        String keys = locks.execute(
                LockRequest.of("report", "container"),
                lease -> REDIS.execInContainer("redis-cli", "keys", "*").getStdout());
        assertThat(keys).contains("lock:{report.container}");
    }
}
