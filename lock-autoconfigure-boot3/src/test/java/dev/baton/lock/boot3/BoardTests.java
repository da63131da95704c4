package dev.baton.lock.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests the board on Spring Boot 3.5, from a jar that was compiled with 4. */
class BoardTests {

    @Test
    void boardShowsAndForceReleasesALock() throws Exception {
        try (TestRedis redis = TestRedis.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                        .run(
                                "--server.port=0",
                                "--spring.data.redis.port=" + redis.port(),
                                "--spring.data.redis.host=" + redis.host(),
                                "--baton.board.enabled=true",
                                "--baton.board.show-values=always",
                                "--baton.board.force-release=true")) {
            String board = "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/baton";
            HttpResponse<String> page = send(HttpRequest.newBuilder(URI.create(board)));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
            try (Lease lease = context.getBean(LockTemplate.class)
                    .acquire(LockRequest.of("account", 42).onLost(OnLost.LOG))) {
                String json = send(HttpRequest.newBuilder(URI.create(board + "/api/locks")))
                        .body();
                assertThat(json).contains("\"name\":\"account.42\"", "\"token\":\"" + lease.fencingToken() + "\"");
                String body = "id=" + id(json) + "&token=" + lease.fencingToken();
                URI take = URI.create(board + "/api/force-release");
                assertThat(send(post(take, body)).statusCode()).isEqualTo(403);
                assertThat(send(post(take, body).header("X-Baton-Board", "1")).statusCode())
                        .isEqualTo(200);
                await().until(() -> !lease.isHeld());
            }
        }
    }

    private static String id(String json) {
        Matcher id = Pattern.compile("\"id\":\"([0-9a-f]+)\"").matcher(json);
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    private static HttpRequest.Builder post(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @EnableAutoConfiguration
    static class Application {}
}
