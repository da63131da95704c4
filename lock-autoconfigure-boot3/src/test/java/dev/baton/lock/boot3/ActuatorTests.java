package dev.baton.lock.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.observation.LockObservationMeters;
import dev.baton.lock.support.LockTemplate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests the health, meters and endpoint of an application with Actuator, over HTTP and JMX, in the same way on both
 * lines of Spring Boot.
 */
class ActuatorTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42);

    private static TestRedis redis;
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
        context = run("--spring.jmx.enabled=true", "--management.endpoints.jmx.exposure.include=*");
    }

    @AfterAll
    static void stop() {
        context.close();
        redis.close();
    }

    private static ConfigurableApplicationContext run(String... more) {
        List<String> args = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.data.redis.port=" + redis.port(),
                "--spring.data.redis.host=" + redis.host(),
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.health.show-details=always",
                "--management.endpoint.locks.show-values=always"));
        args.addAll(List.of(more));
        ConfigurableApplicationContext started =
                new SpringApplicationBuilder(Application.class).run(args.toArray(String[]::new));
        await().until(started.getBean(LockTemplate.class)::isListening);
        return started;
    }

    @Test
    void healthHasTheLocks() throws Exception {
        assertThat(get(context, "health"))
                .containsPattern("\"locks\":\\{(\"status\":\"UP\",)?\"details\":\\{[^}]*\"listening\":true")
                .contains("\"roundTripMicros\":");
    }

    @Test
    void infoHasTheLocks() throws Exception {
        locks().execute(REQUEST, lease -> 1);
        assertThat(get(context, "info"))
                .containsPattern(
                        "\"locks\":\\{\"version\":\"[^\"]+\",\"enabled\":true,\"lockedMethods\":0,\"lockedBeans\":0,"
                                + "\"namespace\":\"lock\",\"waitStrategy\":\"grant\",\"handler\":\"script\"");
    }

    @Test
    void metersHaveTheirScope() throws Exception {
        locks().execute(REQUEST, lease -> 1);
        assertThat(get(context, "metrics/baton.acquisitions?tag=outcome:granted"))
                .contains("\"tag\":\"scope\",\"values\":[\"account\"]");
        assertThat(get(context, "metrics/baton.lock")).contains("baton.scope");
    }

    /** Baton's handler replaces that of Micrometer. */
    @Test
    void observationsAreMeasuredOnce() throws Exception {
        assertThat(context.getBeansOfType(LockObservationMeters.class)).hasSize(1);
        locks().execute(LockRequest.of("once", 1), lease -> 1);
        locks().execute(LockRequest.of("once", 2), lease -> 1);
        assertThat(get(context, "metrics/baton.lock?tag=baton.scope:once"))
                .contains("{\"statistic\":\"COUNT\",\"value\":2.0}");
        assertThat(get(context, "metrics/baton.lock.baton.granted?tag=baton.scope:once"))
                .contains("\"value\":2.0");
        assertThat(get(context, "metrics/baton.lock.active?tag=baton.scope:once"))
                .contains("{\"statistic\":\"ACTIVE_TASKS\",\"value\":0.0}");
    }

    @Test
    void endpointShowsHeldLocks() throws Exception {
        try (Lease lease = locks().acquire(REQUEST)) {
            assertThat(get(context, "locks"))
                    .startsWith(
                            "{\"held\":[{\"locks\":[\"account.42\"],\"scope\":\"account\",\"owner\":\"" + lease.owner())
                    .contains("\"token\":" + lease.fencingToken(), "\"waiting\":[]", "\"deadlocks\":[]");
            assertThat(get(context, "locks?scope=other")).contains("\"held\":[]");
            assertThat(get(context, "locks/account.42"))
                    .startsWith("{\"name\":\"account.42\",\"holder\":{\"label\":")
                    .contains("\"waiting\":0,\"queue\":[]");
            assertThat(get(context, "locks?cursor=0")).contains("\"name\":\"account.42\"");
        }
    }

    @Test
    void endpointIsAvailableOverJmx() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Locks");
        try (Lease lease = locks().acquire(REQUEST)) {
            Object answer = server.invoke(name, "locks", new Object[] {"account", null}, new String[] {
                String.class.getName(), String.class.getName()
            });
            assertThat(answer.toString()).contains("account.42", lease.owner());
        }
    }

    @Test
    void lockIsForceReleasedOnlyWithAccess() throws Exception {
        try (Lease lease = locks().acquire(REQUEST.onLost(OnLost.LOG))) {
            assertThat(send(context, "DELETE", "locks/account.42").statusCode()).isEqualTo(405);
            assertThat(lease.isHeld()).isTrue();
            try (ConfigurableApplicationContext permitted = run("--management.endpoint.locks.access=unrestricted")) {
                HttpResponse<String> answer = send(permitted, "DELETE", "locks/account.42");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body())
                        .startsWith("{\"name\":\"account.42\",\"released\":true,\"holder\":{\"label\":");
            }
            await().until(() -> !lease.isHeld());
        }
    }

    private static LockTemplate locks() {
        return context.getBean(LockTemplate.class);
    }

    private static String get(ConfigurableApplicationContext from, String path)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(from, "GET", path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static HttpResponse<String> send(ConfigurableApplicationContext to, String method, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create(
                "http://localhost:" + to.getEnvironment().getProperty("local.server.port") + "/actuator/" + path);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @EnableAutoConfiguration
    static class Application {}
}
