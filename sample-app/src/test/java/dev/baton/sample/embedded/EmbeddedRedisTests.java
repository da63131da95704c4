package dev.baton.sample.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class EmbeddedRedisTests {

    @Test
    void redisIsStartedBeforeTheContextAndEndedAfterTheContext() throws IOException {
        int port;
        try (GenericApplicationContext context = context(new MapPropertySource("none", Map.of()))) {
            new EmbeddedRedisInitializer().initialize(context);
            port = context.getEnvironment().getRequiredProperty("spring.data.redis.port", Integer.class);
            assertThat(ping(port)).isEqualTo("+PONG");
            context.refresh();
            assertThat(context.getBean(EmbeddedRedis.class).port()).isEqualTo(port);
        }
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> ping(port));
    }

    @Test
    void redisIsEndedIfTheContextCannotBeStarted() throws IOException {
        try (GenericApplicationContext context = context(new MapPropertySource("none", Map.of()))) {
            new EmbeddedRedisInitializer().initialize(context);
            int port = context.getEnvironment().getRequiredProperty("spring.data.redis.port", Integer.class);
            context.registerBean("broken", Object.class, () -> {
                throw new IllegalStateException("broken");
            });
            assertThatExceptionOfType(BeanCreationException.class).isThrownBy(context::refresh);
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> ping(port));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.host",
                "spring.data.redis.port",
                "spring.data.redis.url",
                "spring.data.redis.sentinel.nodes",
                "spring.data.redis.cluster.nodes[0]"
            })
    void redisIsNotStartedIfARedisIsConfigured(String property) {
        try (GenericApplicationContext context = context(new MapPropertySource("test", Map.of(property, "1")))) {
            new EmbeddedRedisInitializer().initialize(context);
            assertThat(context.getBeanFactory().containsSingleton("embeddedRedis"))
                    .isFalse();
            assertThat(context.getEnvironment().getPropertySources().contains("embeddedRedis"))
                    .isFalse();
        }
    }

    @Test
    void redisIsNotStartedIfTheEnvironmentNamesARedis() {
        Map<String, Object> variables = Map.of("SPRING_DATA_REDIS_HOST", "redis.example");
        try (GenericApplicationContext context =
                context(new SystemEnvironmentPropertySource("test-systemEnvironment", variables))) {
            new EmbeddedRedisInitializer().initialize(context);
            assertThat(context.getBeanFactory().containsSingleton("embeddedRedis"))
                    .isFalse();
        }
    }

    @Test
    void redisIsStartedIfOtherSettingsOfRedisAreConfigured() {
        try (GenericApplicationContext context =
                context(new MapPropertySource("test", Map.of("spring.data.redis.timeout", "1s")))) {
            new EmbeddedRedisInitializer().initialize(context);
            context.refresh();
            assertThat(context.getBeanFactory().containsSingleton("embeddedRedis"))
                    .isTrue();
        }
    }

    private static GenericApplicationContext context(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(source);
        GenericApplicationContext context = new GenericApplicationContext();
        context.setEnvironment(environment);
        return context;
    }

    private static String ping(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(5000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
        }
    }
}
