package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * A Redis in a container of the image in the system property {@code redis.image}. Without an image, the tests that need
 * the container are skipped with the reason; with the system property {@code docker.required} they fail.
 */
public final class DockerRedis {

    private static final String IMAGE = "redis.image";
    private static final String REQUIRED = "docker.required";
    private static final int PORT = 6379;

    private DockerRedis() {}

    /** Returns the name of the image, or an empty text if none is set. */
    public static String image() {
        return System.getProperty(IMAGE, "").trim();
    }

    /** Skips the calling test if no container can be started here, or fails the test if Docker is required. */
    public static void assume() {
        if (image().isEmpty()) {
            missing("No image for Docker is named; use -D" + IMAGE + "=redis:8, for example");
        } else if (!DockerClientFactory.instance().isDockerAvailable()) {
            missing("No Docker engine answers here; start one for " + image());
        }
    }

    /** Starts a server that stops with this JVM. */
    @SuppressWarnings("resource") // the watchdog of the library stops the container with the JVM
    public static RedisView start() {
        GenericContainer<?> container =
                new GenericContainer<>(image()).withExposedPorts(PORT).waitingFor(Wait.forListeningPort());
        container.start();
        RedisView redis = new RedisView(container.getHost(), container.getMappedPort(PORT));
        System.out.println(image() + " speaks as Redis " + redis.version());
        return redis;
    }

    private static void missing(String reason) {
        if (Boolean.getBoolean(REQUIRED)) {
            throw new AssertionError(reason);
        }
        Assumptions.abort(reason);
    }
}
