package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Tests what a caller is told to do if a real Redis refuses a connection or a command. */
@ParameterizedClass
@MethodSource("setups")
class RemedyTests {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "Lock 'x.global' could not be requested: ";

    private final Client client;
    private final LockHandler handler;
    private TestRedis redis;
    private RedisStandaloneConfiguration where;

    RemedyTests(Client client, LockHandler handler) {
        this.client = client;
        this.handler = handler;
    }

    static List<Object[]> setups() {
        List<Object[]> all = new ArrayList<>();
        for (Client client : Client.values()) {
            for (LockHandler handler : List.of(LockHandler.SCRIPT, LockHandler.TRANSACTION)) {
                all.add(new Object[] {client, handler});
            }
        }
        return all;
    }

    @BeforeEach
    void start() {
        redis = TestRedis.start();
        where = new RedisStandaloneConfiguration(redis.host(), redis.port());
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    private Processes processes() {
        return new Processes(() -> client.connect(where), store -> store.handler(handler));
    }

    /** Returns the message for a caller that waits up to a second. */
    private String failure() throws Exception {
        try (Processes processes = processes()) {
            LockTemplate template = processes.startDeaf(builder -> {}).template();
            LockStoreException failure = catchThrowableOfType(
                    LockStoreException.class, () -> template.acquire(X.waitTime(Duration.ofSeconds(1))));
            return String.valueOf(failure.getMessage());
        }
    }

    private void assertConnectionRefused(String said, String remedy) throws Exception {
        assertThat(failure())
                .startsWith(LOCK + at() + " refused the connection: " + said)
                .endsWith(". " + remedy);
    }

    private void assertCommandRefused(String said, String remedy) throws Exception {
        String what = handler == LockHandler.SCRIPT ? "acquire.lua" : "a transaction on lock 'x.global'";
        assertThat(failure())
                .startsWith(LOCK + at() + " refused " + what + ": " + said)
                .endsWith(". " + remedy);
    }

    private String at() {
        return "Redis at " + where.getHostName() + ":" + where.getPort();
    }

    @Test
    void passwordIsMissing() throws Exception {
        redis.command("CONFIG", "SET", "requirepass", "secret");
        assertThat(failure())
                .startsWith(LOCK + at() + " refused ")
                .contains(": NOAUTH ")
                .endsWith(". Set spring.data.redis.password, and spring.data.redis.username for an ACL user");
    }

    @Test
    void passwordIsWrong() throws Exception {
        redis.command("CONFIG", "SET", "requirepass", "secret");
        where.setPassword("guess");
        assertConnectionRefused(
                "WRONGPASS invalid username-password pair or user is disabled",
                "Correct spring.data.redis.password, and spring.data.redis.username for an ACL user");
    }

    @Test
    void userIsUnknown() throws Exception {
        where.setUsername("shop");
        where.setPassword("shop");
        assertConnectionRefused(
                "WRONGPASS invalid username-password pair or user is disabled",
                "Correct spring.data.redis.password, and spring.data.redis.username for an ACL user");
    }

    @Test
    void databaseDoesNotExist() throws Exception {
        where.setDatabase(99);
        assertConnectionRefused(
                "ERR DB index is out of range",
                "Set spring.data.redis.database (now 99) to a database of the server: 0 to 15, unless its setting"
                        + " 'databases' says otherwise");
    }

    @Test
    void serverIsAReplica() throws Exception {
        redis.command("REPLICAOF", "127.0.0.1", "1");
        assertCommandRefused(
                "READONLY You can't write against a read only replica",
                "This server is a replica. Connect to the primary: set spring.data.redis.host and"
                        + " spring.data.redis.port to it");
    }

    @Test
    void replicaDoesNotServeStaleData() throws Exception {
        redis.command("CONFIG", "SET", "replica-serve-stale-data", "no");
        redis.command("REPLICAOF", "127.0.0.1", "1");
        assertCommandRefused(
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'",
                "This server is a replica. Connect to the primary: set spring.data.redis.host and"
                        + " spring.data.redis.port to it");
    }

    @Test
    void memoryIsFull() throws Exception {
        redis.command("CONFIG", "SET", "maxmemory", "1");
        assertCommandRefused(
                "OOM command not allowed when used memory > 'maxmemory'",
                "Raise maxmemory, or remove other data. Keep maxmemory-policy noeviction, because Redis must not evict"
                        + " locks");
    }

    @Test
    void replicasAreMissing() throws Exception {
        redis.command("CONFIG", "SET", "min-replicas-to-write", "1");
        assertCommandRefused(
                "NOREPLICAS Not enough good replicas to write",
                "Bring the replicas back (INFO replication), or lower min-replicas-to-write");
    }

    @Test
    void diskCannotBeWritten() throws Exception {
        // a directory in the place of the file, which not even root can replace by a file
        List<?> directory = (List<?>) redis.command("CONFIG", "GET", "dir");
        List<?> file = (List<?>) redis.command("CONFIG", "GET", "dbfilename");
        Path inTheWay = Path.of(String.valueOf(directory.get(1)), String.valueOf(file.get(1)));
        Files.createDirectories(inTheWay.resolve("not-empty"));
        redis.command("CONFIG", "SET", "save", "3600 1000000");
        redis.command("BGSAVE");
        await().until(() ->
                String.valueOf(redis.command("INFO", "persistence")).contains("rdb_last_bgsave_status:err"));
        assertCommandRefused(
                "MISCONF Redis is configured to save RDB snapshots, but it",
                "Redis cannot write to its disk. Free disk space, or correct the rights of its directory (CONFIG GET dir);"
                        + " its log names the reason. Redis accepts writes again after the next successful save (BGSAVE)");
    }

    @Test
    void rightsThatAreMissingSuffice() throws Exception {
        redis.command("ACL", "SETUSER", "shop", "reset", "on", ">shop", "resetchannels");
        where.setUsername("shop");
        where.setPassword("shop");
        String message = failure();
        assertThat(message)
                .startsWith(LOCK + at() + " refused ")
                .contains("NOPERM ")
                .contains(
                        ". Give Redis user 'shop' the rights that Baton needs (ACL SETUSER): ~lock:* resetchannels &lock:* +");

        List<String> rights = new ArrayList<>(List.of("ACL", "SETUSER", "shop"));
        rights.addAll(
                Arrays.asList(message.substring(message.indexOf("~lock:*")).split(" ")));
        redis.command(rights.toArray(String[]::new));
        try (Processes processes = processes()) {
            LockTemplate template = processes.start();
            assertThat(template.execute(X, Lease::isHeld)).isTrue();
        }
    }

    @Test
    void serverIsANodeOfACluster() throws Exception {
        String remedy = "This is a Redis Cluster. Name its servers in spring.data.redis.cluster.nodes, instead of"
                + " spring.data.redis.host";
        redis.close();
        redis = TestRedis.start("cluster-enabled yes");
        where = new RedisStandaloneConfiguration(redis.host(), redis.port());
        assertCommandRefused("CLUSTERDOWN Hash slot not served", remedy);

        List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream.range(0, 16384).forEach(slot -> slots.add(Integer.toString(slot)));
        redis.command(slots.toArray(String[]::new));
        await().until(() -> String.valueOf(redis.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        assertCommandRefused("CROSSSLOT Keys in request don't hash to the same slot", remedy);
    }

    @Test
    void serverIsTooOld() throws Exception {
        try (OldServer old = new OldServer("6.0.16")) {
            where = new RedisStandaloneConfiguration(old.host(), old.port());
            long start = System.nanoTime();
            assertThat(failure())
                    .isEqualTo(LOCK + "Redis 6.0.16 at " + old.host() + ":" + old.port()
                            + " is too old: Baton needs Redis 6.2 or newer. Upgrade the server, or connect to a newer one"
                            + " (spring.data.redis.*)");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("a wait would not help")
                    .isLessThan(Duration.ofMillis(900));
            assertThat(old.sent()).contains("INFO").doesNotContain("EVALSHA", "EVAL", "WATCH", "MULTI");
        }
    }
}
