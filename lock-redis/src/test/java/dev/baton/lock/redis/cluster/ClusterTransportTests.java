package dev.baton.lock.redis.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.client.ServerAddress;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.redis.script.LuaScript;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.store.NamePattern;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests to which master a script is sent, and when it is sent again. The masters answer what the test says. */
class ClusterTransportTests {

    private static final ServerAddress A = new ServerAddress("127.0.0.1", 7001);
    private static final ServerAddress B = new ServerAddress("127.0.0.1", 7002);
    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);
    /** Its slot is 15495. */
    private static final byte[] KEY = "lock:lock:{a}".getBytes(UTF_8);

    private final StoreThreads threads = new StoreThreads();
    private final Fake fake = new Fake(null);
    private final RedisFailures failures =
            new RedisFailures(fake.factory(), "lock", LockHandler.SCRIPT, WaitStrategy.GRANT, false);
    private final Cluster cluster = new Cluster(fake, failures, threads);
    private final ClusterTransport transport = new ClusterTransport(cluster, failures, threads);

    @BeforeEach
    void start() {
        fake.slots = List.of(
                ClusterMapTests.range(0, 99, A.host(), A.port()),
                ClusterMapTests.range(100, 16383, B.host(), B.port()));
        cluster.start(null);
    }

    @AfterEach
    void stop() {
        transport.close();
        threads.stop();
    }

    private CompletableFuture<String> send(long timeoutNanos) {
        ScriptCall<String> call = new ScriptCall<>(
                LuaScript.INSPECT, new byte[][] {KEY}, new byte[0][], reply -> String.valueOf(reply.get(0)));
        return transport.send(call, timeoutNanos, null);
    }

    private static RuntimeException refusal(String said) {
        return new StoreException("refused", false, new IllegalStateException(said));
    }

    @Test
    void scriptGoesToTheMasterOfItsSlotAsSoonAsThatIsKnown() {
        assertThat(send(TIMEOUT).join()).isEqualTo(B.toString());
    }

    @Test
    void scriptIsSentAgainWhileItsSlotMoves() {
        List<String> refusals = new ArrayList<>(List.of(
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "ASK 15495 127.0.0.1:7001",
                "ERR Script attempted to access a non local key in a cluster node",
                "CLUSTERDOWN The cluster is down"));
        fake.answers.put(B, () -> refusals.isEmpty() ? B.toString() : fail(refusals.remove(0)));
        assertThat(send(TIMEOUT).join()).isEqualTo(B.toString());
        assertThat(refusals).isEmpty();
    }

    private static String fail(String said) {
        throw refusal(said);
    }

    @Test
    void scriptFollowsItsSlotToTheNextMaster() {
        fake.answers.put(B, () -> fail("MOVED 15495 127.0.0.1:7001"));
        CompletableFuture<String> reply = send(TIMEOUT);
        fake.slots = List.of(ClusterMapTests.range(0, 16383, A.host(), A.port()));
        assertThat(reply.join()).isEqualTo(A.toString());
        Awaitility.await().until(() -> fake.closed.contains(B));
    }

    /** Most servers may not know it yet. */
    @Test
    void scriptGoesToTheMasterThatTheOldOneNames() {
        fake.answers.put(B, () -> fail("MOVED 15495 127.0.0.1:7001"));
        assertThat(send(TIMEOUT).join()).isEqualTo(A.toString());
        assertThat(cluster.map().masters()).contains(B);
    }

    @Test
    void masterThatIsNotKnownIsNotAsked() {
        List<String> refusals = new ArrayList<>(List.of("MOVED 15495 10.0.0.9:7001", "MOVED 15495 :7001"));
        fake.answers.put(B, () -> refusals.isEmpty() ? B.toString() : fail(refusals.remove(0)));
        assertThat(send(TIMEOUT).join()).isEqualTo(B.toString());
    }

    @Test
    void refusalThatLastsFailsAtTheEndOfTheTime() {
        fake.answers.put(B, () -> fail("CLUSTERDOWN Hash slot not served"));
        assertThatThrownBy(() -> send(TimeUnit.MILLISECONDS.toNanos(150)).join())
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("within 150 ms: CLUSTERDOWN Hash slot not served")
                .hasMessageContaining("check CLUSTER INFO")
                .cause()
                .matches(ex -> ((StoreException) ex).isPassing() && ((StoreException) ex).isUnexecuted());
    }

    @Test
    void otherFailuresAreNotRepeated() {
        fake.answers.put(B, () -> fail("OOM command not allowed"));
        assertThatThrownBy(() -> send(TIMEOUT).join()).hasRootCauseMessage("OOM command not allowed");
    }

    @Test
    void unknownSlotsFailWithTheReason() {
        fake.slots = new IllegalStateException("NOAUTH Authentication required.");
        Cluster unknown = new Cluster(fake, failures, threads);
        unknown.start(null);
        ClusterTransport alone = new ClusterTransport(unknown, failures, threads);
        ScriptCall<String> call =
                new ScriptCall<>(LuaScript.INSPECT, new byte[][] {KEY}, new byte[0][], String::valueOf);
        assertThatThrownBy(() -> alone.send(call, TimeUnit.MILLISECONDS.toNanos(400), null)
                        .join())
                .hasMessageContaining("NOAUTH")
                .hasMessageContaining("Set spring.data.redis.password");
        alone.close();
    }

    @Test
    void epochChangesWithEachConnectionAndWithTheMasters() {
        send(TIMEOUT).join();
        long first = transport.epoch();
        fake.epochs.put(A, 1L);
        long second = transport.epoch();
        fake.slots = List.of(ClusterMapTests.range(0, 16383, B.host(), B.port()));
        cluster.troubled();
        Awaitility.await().until(() -> cluster.map().masters().size() == 1);
        assertThat(Set.of(first, second, transport.epoch())).hasSize(3);
        assertThat(transport.order()).isNotEqualTo(transport.order());
    }

    @Test
    void scanGoesFromMasterToMaster() {
        send(TIMEOUT).join();
        List<String> asked = new ArrayList<>();
        ClusterScan scan = new ClusterScan(cluster, (master, command) -> {
            asked.add(((FakeTransport) master).address.port() + " " + command.cursor());
            return CompletableFuture.completedFuture(
                    new ScanPage(List.of(), command.cursor().equals("0") ? "17" : "0"));
        });
        String cursor = ScanCommand.START;
        do {
            cursor = scan.page(new ScanCommand("", new NamePattern("*"), cursor, TIMEOUT))
                    .join()
                    .cursor();
        } while (!cursor.equals(ScanCommand.START));
        assertThat(asked).containsExactly("7001 0", "7001 17", "7002 0", "7002 17");
    }

    /** A client library whose servers answer what the test says. */
    private static final class Fake implements ClientLibrary {

        private final @Nullable ServerAddress address;
        private final Map<ServerAddress, Supplier<String>> answers;
        private final Map<ServerAddress, Long> epochs;
        private final Set<ServerAddress> closed;
        private volatile Object slots = List.of();
        private final Fake root;

        Fake(@Nullable ServerAddress address) {
            this.address = address;
            this.answers = new ConcurrentHashMap<>();
            this.epochs = new ConcurrentHashMap<>();
            this.closed = ConcurrentHashMap.newKeySet();
            this.root = this;
        }

        private Fake(ServerAddress address, Fake root) {
            this.address = address;
            this.answers = root.answers;
            this.epochs = root.epochs;
            this.closed = root.closed;
            this.root = root;
        }

        @Override
        public RedisConnectionFactory factory() {
            return new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(A.toString(), B.toString())));
        }

        @Override
        public ScriptTransport transport(RedisFailures ofServer, StoreThreads threads) {
            return new FakeTransport(Objects.requireNonNull(address), root);
        }

        @Override
        public GrantSubscription subscription(
                GrantMessages messages, @Nullable KeyspaceEvents events, StoreThreads threads) {
            throw new IllegalStateException("no message is awaited");
        }

        @Override
        public int database() {
            return 0;
        }

        @Override
        public Set<ServerAddress> seeds() {
            return Set.of(A, B);
        }

        @Override
        public ClientLibrary server(ServerAddress one) {
            return new Fake(one, root);
        }

        @Override
        public @Nullable Object ask(String command, String... args) {
            assertThat(command + " " + String.join(" ", args)).isEqualTo("CLUSTER SLOTS");
            if (root.slots instanceof RuntimeException failure) {
                throw failure;
            }
            return root.slots;
        }

        @Override
        public void close() {
            if (address != null) {
                closed.add(address);
            }
        }
    }

    private record FakeTransport(ServerAddress address, Fake fake) implements ScriptTransport {

        @Override
        public <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, @Nullable WaitingCaller caller) {
            CompletableFuture<T> future = new CompletableFuture<>();
            try {
                String answer =
                        fake.answers.getOrDefault(address, address::toString).get();
                call.complete(future, List.of(answer));
            } catch (RuntimeException ex) {
                future.completeExceptionally(ex);
            }
            return future;
        }

        @Override
        public long epoch() {
            return fake.epochs.getOrDefault(address, 0L);
        }

        @Override
        public long order() {
            return epoch();
        }

        @Override
        public void close() {
            // has no connection
        }
    }
}
