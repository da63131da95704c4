package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.Connections;
import dev.baton.lock.support.LockTemplate;
import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Tests that Baton works in an application with one client library. */
class OneClientLibraryTests {

    private static final Duration BOUND = Duration.ofSeconds(30);

    @ParameterizedTest
    @CsvSource({
        "LETTUCE, jedis|commons-pool2, redis.clients.jedis.Jedis",
        "JEDIS, lettuce|netty|reactor, io.lettuce.core.RedisClient"
    })
    void lockWorksWithoutTheOtherClient(Client client, String absent, String absentClass) {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*[/\\\\](" + absent + ")[^/\\\\]*\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        try (TestRedis redis = TestRedis.start();
                JavaProcess process = JavaProcess.start(
                        List.of("-cp", classPath),
                        Application.class,
                        client.name(),
                        redis.host(),
                        Integer.toString(redis.port()),
                        absentClass)) {
            assertThat(process.awaitLine("", BOUND)).isEqualTo("held, told, " + absentClass + " is absent");
            assertThat(process.awaitExit(BOUND)).isZero();
        }
    }

    /** Acquires a lock at once, and once after a wait. */
    static final class Application {

        private Application() {}

        public static void main(String[] args) throws Exception {
            Connections connections = Client.valueOf(args[0])
                    .connect(new RedisStandaloneConfiguration(args[1], Integer.parseInt(args[2])));
            RedisLockStore store = RedisLockStore.builder(connections.factory()).build();
            try (LockTemplate template =
                    LockTemplate.builder(store).recheck(Duration.ofSeconds(20)).build()) {
                while (!store.isListening()) {
                    Thread.onSpinWait();
                }
                var lease = template.acquire(LockRequest.of("x"));
                Thread waiter =
                        new Thread(() -> template.acquire(LockRequest.of("x")).close());
                waiter.start();
                waiter.join(200);
                String held = lease.isHeld() ? "held, " : "lost, ";
                lease.close();
                waiter.join(5_000);
                System.out.println(held + (waiter.isAlive() ? "waiting, " : "told, ") + presence(args[3]));
            }
            connections.end().run();
        }

        private static String presence(String type) {
            try {
                return Class.forName(type).getName() + " is present";
            } catch (ClassNotFoundException ex) {
                return type + " is absent";
            }
        }
    }
}
