package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Locks over TLS, by what the application has configured for its client library. */
class TlsTests {

    private static final int PORT_ATTEMPTS = 5;

    @TempDir
    private static Path files;

    private static Certificate server;
    private static TestRedis redis;
    private static int port;

    @BeforeAll
    static void startRedis() throws Exception {
        server = Certificate.create(files);
        redis = startOnAFreePort();
    }

    /** Redis itself finds out whether a port is taken. */
    private static TestRedis startOnAFreePort() {
        for (int attempt = 1; attempt < PORT_ATTEMPTS; attempt++) {
            try {
                return startOnAnyPort();
            } catch (IllegalStateException ex) {
                // perhaps taken: another port
                continue;
            }
        }
        return startOnAnyPort();
    }

    private static TestRedis startOnAnyPort() {
        // below the range that outgoing connections use
        port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
        return TestRedis.start(
                "tls-port " + port,
                "tls-auth-clients no",
                "tls-cert-file " + server.certificate(),
                "tls-key-file " + server.key());
    }

    @AfterAll
    static void endRedis() {
        redis.close();
    }

    @Test
    void locksAreTakenHandedOverAndReleasedOverTls() throws Exception {
        try (Processes processes = new Processes(() -> trusting(server), store -> {})) {
            LockTemplate one = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            LockTemplate other = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            Lease lease = one.acquire(LockRequest.of("x"));
            CompletableFuture<Boolean> waiter =
                    CompletableFuture.supplyAsync(() -> other.execute(LockRequest.of("x"), Lease::isHeld));
            await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
            lease.close();
            assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void serverThatIsNotTrustedIsNotAsked() throws Exception {
        Certificate another = Certificate.create(Files.createDirectory(files.resolve("another")));
        try (Processes processes = new Processes(() -> trusting(another), store -> {})) {
            LockTemplate template = processes.startDeaf(builder -> {}).template();
            assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1))))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("Redis at 127.0.0.1:" + port)
                    .hasMessageContaining("could not be asked");
        }
    }

    private static Connections trusting(Certificate certificate) {
        LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                .useSsl()
                .and()
                .clientOptions(ClientOptions.builder()
                        .sslOptions(SslOptions.builder()
                                .jdkSslProvider()
                                .trustManager(certificate.certificate().toFile())
                                .build())
                        .build())
                .build();
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), port), client);
        factory.afterPropertiesSet();
        factory.start();
        return new Connections(factory, factory::destroy);
    }
}
