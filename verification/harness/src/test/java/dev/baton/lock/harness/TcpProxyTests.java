package dev.baton.lock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpProxyTests {

    private final TestRedis redis = TestRedis.start();
    private final TcpProxy proxy = TcpProxy.to(redis);

    @AfterEach
    void end() {
        proxy.close();
        redis.close();
    }

    @Test
    void forwardsAndCountsConnections() {
        try (RespConnection first = connect();
                RespConnection second = connect()) {
            assertThat(first.command("SET", "k", "x".repeat(1_000_000))).isEqualTo("OK");
            assertThat(second.command("STRLEN", "k")).isEqualTo(1_000_000L);
            assertThat(proxy.connections()).isEqualTo(2);
        }
        await().untilAsserted(() -> assertThat(proxy.connections()).isZero());
        assertThat(proxy.accepted()).isEqualTo(2);
    }

    @Test
    void swallowAcceptsConnectionsAndDropsBothDirections() {
        proxy.swallow();
        try (RespConnection connection = connect()) {
            connection.send("SET", "k", "v");
            assertSilent(connection);
        }
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void swallowedRequestIsNeverSeenByRedis() {
        try (RespConnection connection = connect()) {
            connection.command("PING");
            proxy.swallowRequests();
            connection.send("SET", "k", "v");
            assertSilent(connection);
        }
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void swallowedReplyIsThatOfACommandThatRan() {
        try (RespConnection connection = connect()) {
            proxy.swallowReplies();
            connection.send("SET", "k", "v");
            await().untilAsserted(() -> assertThat(redis.keys()).containsExactly("k"));
            assertSilent(connection);
        }
    }

    @Test
    void connectionThatHasLostBytesStaysSilentAfterForward() {
        proxy.swallowReplies();
        try (RespConnection old = connect()) {
            old.send("SET", "k", "v");
            await().untilAsserted(() -> assertThat(redis.keys()).containsExactly("k"));
            assertSilent(old);
            proxy.forward();
            old.send("GET", "k");
            assertSilent(old);
            try (RespConnection fresh = connect()) {
                assertThat(fresh.command("GET", "k")).isEqualTo("v");
            }
        }
    }

    @Test
    void redisCountsReceiversOfSwallowedMessages() {
        try (RespConnection subscriber = connect();
                RespConnection other = connect()) {
            subscriber.command("SUBSCRIBE", "news");
            proxy.swallowMessages();
            assertThat(other.command("PUBLISH", "news", "lost")).isEqualTo(1L);
            assertSilent(subscriber);
            proxy.forward();
            other.command("PUBLISH", "news", "heard");
            assertThat(subscriber.read()).isEqualTo(List.of("message", "news", "heard"));
        }
    }

    @Test
    void delayAppliesInEachDirection() {
        try (RespConnection connection = connect()) {
            connection.command("PING");
            proxy.delay(Duration.ofMillis(60));
            long start = System.nanoTime();
            connection.command("PING");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
        }
    }

    @Test
    void cutClosesAllAndAcceptsAgain() {
        try (RespConnection first = connect();
                RespConnection second = connect()) {
            first.command("PING");
            second.command("PING");
            assertThat(proxy.cut()).isEqualTo(2);
            assertBroken(first);
            assertBroken(second);
        }
        assertThat(proxy.connections()).isZero();
        try (RespConnection again = connect()) {
            assertThat(again.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void cutSubscribersKeepsOtherConnections() {
        try (RespConnection channel = connect();
                RespConnection pattern = connect();
                RespConnection other = connect()) {
            channel.command("subscribe", "news");
            pattern.command("PSUBSCRIBE", "n*");
            other.command("SET", "subscribe", "v");
            assertThat(proxy.subscribers()).isEqualTo(2);
            assertThat(proxy.cutSubscribers()).isEqualTo(2);
            assertBroken(channel);
            assertBroken(pattern);
            assertThat(other.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void refusesNewConnectionsUntilForwardAndKeepsTheOpenOnes() {
        try (RespConnection open = connect()) {
            open.command("PING");
            proxy.refuse();
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(this::connect)
                    .withCauseInstanceOf(ConnectException.class);
            assertThat(open.command("PING")).isEqualTo("PONG");
        }
        proxy.forward();
        try (RespConnection again = connect()) {
            assertThat(again.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void clientOfAStoppedRedisIsClosed() {
        redis.stop();
        try (RespConnection connection = connect()) {
            assertBroken(connection);
        }
        redis.restart();
        try (RespConnection connection = connect()) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
        }
    }

    private RespConnection connect() {
        return RespConnection.open(proxy.host(), proxy.port(), Duration.ofSeconds(5));
    }

    private static void assertSilent(RespConnection connection) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> connection.read(Duration.ofMillis(200)))
                .withRootCauseInstanceOf(SocketTimeoutException.class);
    }

    private static void assertBroken(RespConnection connection) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> connection.command("PING"))
                .satisfies(ex -> assertThat(ex.getCause()).isNotInstanceOf(SocketTimeoutException.class));
    }
}
