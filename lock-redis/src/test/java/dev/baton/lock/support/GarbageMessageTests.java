package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnection;

/** A client publishes what no process of ours would: neither the locks nor the application that they belong to notice. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class GarbageMessageTests {

    private static final LockRequest X = LockRequest.of("x").waitTime(Duration.ofSeconds(30));
    private static final String KEY = "lock:lock:{x.global}";
    private static final String QUEUE = "lock:queue:{x.global}";
    /** So long that it grants no waiter anything. */
    private static final Duration NEVER = Duration.ofSeconds(40);

    private static final Duration SOON = Duration.ofSeconds(3);
    private static final byte[] APP = bytes("app");
    private static final int ROUNDS = 20;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Backend backend;
    private TestRedis redis;
    private Connections application;
    private Processes processes;
    private Processes others;

    GarbageMessageTests(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void start() {
        redis = backend.startOpenRedis();
        application = backend.connect(redis.host(), redis.port());
        processes = new Processes(() -> new Connections(application.factory(), () -> {}), store -> {});
        others = new Processes(redis, backend);
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        others.close();
        application.end().run();
        redis.close();
    }

    @Test
    void locksAndTheApplicationGoOn() throws Exception {
        LockTemplate template = processes.start(builder -> builder.recheck(NEVER));
        List<?> channels = (List<?>) redis.command("PUBSUB", "CHANNELS", "lock:inbox:*");
        assertThat(channels).hasSize(1);
        String inbox = channels.get(0).toString();
        LockTemplate other = others.start();
        for (int round = 0; round < ROUNDS; round++) {
            Lease held = other.acquire(X);
            CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                    () -> template.execute(X, Lease::isHeld), task -> new Thread(task).start());
            processes.awaitWaiting(redis, QUEUE, 1);
            publishGarbage(bytes(inbox));
            assertApplicationIsServed();
            held.release();
            assertThat(waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
                    .as("granted by message; seed %d", seed)
                    .isTrue();
        }
        assertThat(redis.command("PUBSUB", "NUMSUB", inbox)).as("subscribed").isEqualTo(List.of(inbox, 1L));
        await("nothing is left behind").until(() -> redis.command("EXISTS", KEY).equals(0L));
    }

    private void publishGarbage(byte[] inbox) {
        Connections connections = Backend.LETTUCE.connect(redis.host(), redis.port());
        try (RedisConnection connection = connections.factory().getConnection()) {
            for (byte[] message : List.of(
                    bytes("grant 1 x notanumber " + KEY),
                    bytes("grant 1 x 99999999999999999999 " + KEY),
                    bytes("grant 1 x -1 " + KEY),
                    bytes("grant 1 x 1 lock:lock:{"),
                    bytes("grant 2 x 1 -1 " + KEY),
                    bytes("grant 2 x 1 99999999999 " + KEY),
                    bytes("grant 2 x 1 4 " + KEY),
                    bytes("revoke 1 x y " + KEY),
                    new byte[0])) {
                connection.publish(inbox, message);
            }
            for (int i = 0; i < 20; i++) {
                connection.publish(inbox, random(bytes("grant 1 x:" + i + " " + i + " " + KEY)));
            }
        } finally {
            connections.end().run();
        }
    }

    /** Any bytes, or a message of which the end is missing, or whose end is wrong. */
    private byte[] random(byte[] valid) {
        byte[] bytes = random.nextBoolean() ? new byte[random.nextInt(64)] : Arrays.copyOf(valid, valid.length);
        if (bytes.length == 0 || random.nextInt(4) == 0) {
            return Arrays.copyOf(bytes, bytes.length / 2);
        }
        byte[] tail = new byte[1 + random.nextInt(bytes.length)];
        random.nextBytes(tail);
        System.arraycopy(tail, 0, bytes, bytes.length - tail.length, tail.length);
        return bytes;
    }

    /** Through the connection factory that the locks use, by more connections than one. */
    private void assertApplicationIsServed() {
        for (int i = 0; i < 10; i++) {
            try (RedisConnection one = application.factory().getConnection();
                    RedisConnection two = application.factory().getConnection()) {
                assertThat(one.keyCommands().exists(APP)).as("seed %d", seed).isFalse();
                assertThat(two.keyCommands().exists(APP)).as("seed %d", seed).isFalse();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
