package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockHandler;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests that only a disconnection of the connection for locks makes the order of commands doubtful. */
class LettuceOrderTests {

    private TestRedis redis;
    private RedisClient client;
    private StoreUser user;

    @BeforeEach
    void start() throws Exception {
        redis = Backend.LETTUCE.startOpenRedis();
        Connections connections = Backend.LETTUCE.connect(redis.host(), redis.port());
        user = new StoreUser(connections, "a", builder -> builder.handler(LockHandler.SCRIPT)).awaitListening();
        client = (RedisClient) ((LettuceConnectionFactory) connections.factory()).getRequiredNativeClient();
        answer(user.acquire(user.request(1, Kind.TRY)));
        answer(user.acquire(user.request(2, Kind.TRY)));
    }

    @AfterEach
    void stop() {
        user.close();
        redis.close();
    }

    @Test
    void disconnectionOfTheApplicationKeepsTheOrder() throws Exception {
        long order = user.store.order();
        StatefulRedisConnection<String, String> own = client.connect();
        // this listener runs after that of the store
        CountDownLatch disconnected = new CountDownLatch(1);
        client.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                if (connection == (Object) own) {
                    disconnected.countDown();
                }
            }
        });
        own.close();

        assertThat(disconnected.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(user.store.order()).isEqualTo(order);
        assertThat(answer(user.acquire(user.request(3, Kind.TRY))).possiblyRepeated())
                .isFalse();
    }

    @Test
    void disconnectionOfTheLocksChangesTheOrder() throws Exception {
        long order = user.store.order();
        redis.command("CLIENT", "KILL", "TYPE", "normal");

        await().until(() -> user.store.order() != order);
        answer(user.acquire(user.request(3, Kind.TRY)));
        long again = user.store.order();
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        await().until(() -> user.store.order() != again);
    }
}
