package dev.baton.lock.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Tests that the connection of an ended Jedis subscription never serves the application again. */
@ParameterizedClass(name = "a client of Jedis that lends connections by itself: {0}")
@ValueSource(booleans = {true, false})
class JedisInboxTests {

    /** More connections than a pool keeps. */
    private static final int COMMANDS = 20;

    private static final byte[] APP = "app".getBytes(StandardCharsets.UTF_8);

    private final boolean unified;
    private final AtomicInteger confirmations = new AtomicInteger();
    private TestRedis redis;
    private JedisConnectionFactory factory;
    private RedisLockStore store;

    JedisInboxTests(boolean unified) {
        this.unified = unified;
    }

    @BeforeEach
    void start() {
        redis = new Backend(Client.JEDIS, 0).startOpenRedis();
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration(redis.host(), redis.port());
        where.setUsername(Backend.USER);
        where.setPassword(Backend.USER);
        factory = new JedisConnectionFactory(where);
        factory.setUseUnifiedJedis(unified);
        factory.afterPropertiesSet();
        factory.start();
    }

    @AfterEach
    void stop() {
        store.stop();
        factory.destroy();
        redis.close();
    }

    @Test
    void connectionOfAnInterruptedSubscriptionIsNotUsedAgain() {
        start(WaitStrategy.GRANT, () -> Thread.currentThread().interrupt());
        String subscribed = subscribedClient();
        publishGrant();
        await("subscribed again").until(() -> confirmations.get() == 2);
        assertIsGone(subscribed);
        assertApplicationIsServed();
    }

    @Test
    void connectionOfAFailedSubscriptionIsNotUsedAgain() {
        start(WaitStrategy.GRANT, () -> {
            throw new AssertionError("an error that ends the subscription");
        });
        String subscribed = subscribedClient();
        publishGrant();
        await("subscribed again").until(() -> confirmations.get() == 2);
        assertIsGone(subscribed);
        assertApplicationIsServed();
    }

    @Test
    void connectionOfARefusedSubscriptionIsNotUsedAgain() {
        start(WaitStrategy.KEYSPACE, () -> {});
        String subscribed = subscribedClient();
        redis.command("ACL", "SETUSER", Backend.USER, "-subscribe");
        store.watch(new LockName("", "x.a"));
        assertIsGone(subscribed);
        assertApplicationIsServed();
    }

    @Test
    void connectionOfAReplacedSubscriptionIsNotUsedAgain() {
        start(WaitStrategy.GRANT, () -> {});
        String subscribed = subscribedClient();
        store.listenAgain();
        await("subscribed again").until(() -> confirmations.get() == 2);
        assertIsGone(subscribed);
        assertApplicationIsServed();
    }

    private void start(WaitStrategy strategy, Runnable telling) {
        store = RedisLockStore.builder(factory).waitStrategy(strategy).build();
        store.start("i", new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                telling.run();
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                throw new IllegalStateException("no lock is revoked");
            }

            @Override
            public void listening() {
                confirmations.incrementAndGet();
            }
        });
        await().until(store::isListening);
    }

    private void publishGrant() {
        List<?> inboxes = (List<?>) redis.command("PUBSUB", "CHANNELS", "lock:inbox:*");
        redis.command("PUBLISH", inboxes.get(0).toString(), "grant 1 i:1 7 lock:lock:{x.a}");
    }

    /** Returns the client id of the subscribed connection. */
    private String subscribedClient() {
        String clients = redis.command("CLIENT", "LIST", "TYPE", "pubsub").toString();
        return clients.substring(0, clients.indexOf(' ') + 1);
    }

    private void assertIsGone(String client) {
        assertThat(client).startsWith("id=");
        await("closed")
                .untilAsserted(() -> assertThat(
                                redis.command("CLIENT", "LIST").toString().lines())
                        .noneMatch(line -> line.startsWith(client)));
    }

    private void assertApplicationIsServed() {
        for (int i = 0; i < COMMANDS; i++) {
            try (RedisConnection one = factory.getConnection();
                    RedisConnection other = factory.getConnection()) {
                assertThat(one.ping()).isEqualTo("PONG");
                assertThat(one.keyCommands().exists(APP)).isFalse();
                assertThat(other.keyCommands().exists(APP)).isFalse();
            }
        }
    }
}
