package dev.baton.lock.redis.jedis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.InboxChannel;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.redis.StoreUser;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.Connections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Tests which calls block with Jedis, and for how long. */
class JedisTransportTests {

    private final Backend backend = new Backend(Client.JEDIS, 0);
    private final TestRedis redis = backend.startRedis();
    private final StoreUser a = new StoreUser(backend.connect(redis.host(), redis.port()), "a").awaitListening();

    @AfterEach
    void stop() {
        a.close();
        redis.close();
    }

    @Test
    void commandThatTimesOutBeforeItGetsAThreadIsNotSent() throws Exception {
        redis.resetStats();
        redis.pause();
        a.timeout(Duration.ofMillis(200));
        List<CompletableFuture<?>> given = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            given.add(a.acquire(a.request(i, Kind.TRY)));
        }
        given.forEach(answer -> assertThat(answer).failsWithin(Duration.ofSeconds(1)));
        redis.resume();
        a.timeout(Duration.ofSeconds(5));
        answer(a.renew(0, 1));
        await().until(() -> threads("baton-store-jedis-").allMatch(JedisTransportTests::isIdle));
        assertThat(redis.commandStats().get("evalsha")).isLessThanOrEqualTo(JedisTransport.THREADS + 1);
    }

    @Test
    void fullQueueRefusesAtOnceAndRecovers() {
        redis.pause();
        List<CompletableFuture<?>> given = new ArrayList<>();
        for (int i = 0; i < JedisTransport.QUEUE + JedisTransport.THREADS; i++) {
            given.add(a.renew(0, i));
        }
        assertThat(given).noneMatch(CompletableFuture::isDone);
        assertThat(a.renew(0, 1))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining(JedisTransport.QUEUE + " commands are already waiting")
                .withMessageContaining("jedis.pool");
        redis.resume();
        given.forEach(answer -> assertThat(answer).succeedsWithin(Duration.ofSeconds(5)));
    }

    @Test
    void threadsAreDaemonsAndOrderIsNotKept() throws Exception {
        answer(a.renew(0, 1));
        assertThat(threads("baton-store-jedis-")).isNotEmpty().allMatch(Thread::isDaemon);
        assertThat(threads("baton-store-listen")).hasSize(1).allMatch(Thread::isDaemon);
        assertThat(a.store.order()).isNotEqualTo(a.store.order());
    }

    @Test
    void hangWhileSubscribingLeavesOneSubscription() {
        redis.pause();
        a.store.listenAgain();
        a.store.listenAgain();
        a.store.listenAgain();
        await().until(() -> threads("baton-store-listen").count() == 4);
        redis.resume();
        await().until(a.store::isListening);
        await().until(() -> threads("baton-store-listen").count() == 1);
        assertThat(redis.command("PUBSUB", "NUMSUB", InboxChannel.of("a")))
                .isEqualTo(List.of(InboxChannel.of("a"), 1L));
    }

    @Test
    void commandThatTimesOutOnAnExhaustedPoolIsNotSent() throws Exception {
        JedisConnectionFactory small = factory(2);
        small.afterPropertiesSet();
        small.start();
        try (StoreUser user = new StoreUser(new Connections(small, small::destroy), "small").awaitListening()) {
            answer(user.renew(0, 1));
            redis.resetStats();
            try (var taken = small.getConnection()) {
                taken.openPipeline();
                user.timeout(Duration.ofMillis(100));
                assertThat(user.acquire(user.request(1, Kind.TRY)))
                        .failsWithin(Duration.ofSeconds(1))
                        .withThrowableThat()
                        .withMessageContaining("did not answer within 100 ms");
                await().until(() -> threads("baton-store-jedis-").allMatch(JedisTransportTests::isIdle));
            }
            user.timeout(Duration.ofSeconds(5));
            assertThat(answer(user.renew(0, 1))).containsExactly(false);
            assertThat(redis.commandStats()).containsEntry("evalsha", 1L);
        }
    }

    @Test
    void poolOfOneConnectionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLockStore.builder(factory(1)).build())
                .withMessageContaining("a pool of 1 Jedis connections is too small")
                .withMessageContaining("spring.data.redis.jedis.pool.max-active");
    }

    private JedisConnectionFactory factory(int connections) {
        GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        return new JedisConnectionFactory(
                new RedisStandaloneConfiguration(redis.host(), redis.port()),
                JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
    }

    private static Stream<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name));
    }

    private static boolean isIdle(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .noneMatch(frame -> frame.getClassName().contains("JedisTransport"));
    }
}
