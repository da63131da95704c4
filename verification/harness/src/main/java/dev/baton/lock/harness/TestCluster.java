package dev.baton.lock.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Real redis-servers on free loopback ports that form a Redis Cluster: masters with equal parts of the slots, and perhaps a
 * replica of each. They belong to the test that started them, as a {@link TestRedis} does.
 */
public final class TestCluster implements AutoCloseable {

    /** The number of slots of every Redis Cluster. */
    public static final int SLOTS = 16_384;

    private static final Duration FORMING_BOUND = Duration.ofSeconds(60);

    private final List<TestRedis> masters = new ArrayList<>();
    private final List<TestRedis> replicas = new ArrayList<>();
    /** The id of each server in the cluster. */
    private final Map<TestRedis, String> ids = new HashMap<>();

    private TestCluster() {}

    /**
     * Starts a cluster and returns when every server knows all others and takes commands.
     *
     * @param masters the number of masters
     * @param replicated whether each master has a replica
     * @param settings lines of {@code redis.conf} for every server
     */
    public static TestCluster start(int masters, boolean replicated, String... settings) {
        TestCluster cluster = new TestCluster();
        try {
            String[] all = Stream.concat(
                            Stream.of(
                                    "cluster-enabled yes",
                                    "cluster-node-timeout 2000",
                                    "cluster-replica-validity-factor 0",
                                    "repl-diskless-sync yes",
                                    "repl-diskless-sync-delay 0"),
                            Arrays.stream(settings))
                    .toArray(String[]::new);
            for (int i = 0; i < masters; i++) {
                cluster.masters.add(TestRedis.start(all));
                if (replicated) {
                    cluster.replicas.add(TestRedis.start(all));
                }
            }
            cluster.form();
            return cluster;
        } catch (RuntimeException | Error ex) {
            cluster.close();
            throw ex;
        }
    }

    private void form() {
        int epoch = 0;
        for (TestRedis server : servers()) {
            server.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(++epoch));
        }
        for (int i = 0; i < masters.size(); i++) {
            List<String> add = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            for (int slot = SLOTS * i / masters.size(); slot < SLOTS * (i + 1) / masters.size(); slot++) {
                add.add(Integer.toString(slot));
            }
            masters.get(i).command(add.toArray(String[]::new));
        }
        servers().forEach(server -> ids.put(server, id(server)));
        TestRedis first = masters.get(0);
        for (TestRedis server : servers()) {
            first.command("CLUSTER", "MEET", server.host(), Integer.toString(server.port()));
        }
        await(() -> servers().stream()
                .allMatch(server ->
                        info(server).contains("cluster_known_nodes:" + servers().size())
                                && info(server).contains("cluster_state:ok")));
        for (int i = 0; i < replicas.size(); i++) {
            String master = id(masters.get(i));
            TestRedis replica = replicas.get(i);
            await(() -> {
                // refused as long as the replica does not know the master
                replica.command("CLUSTER", "REPLICATE", master);
                return true;
            });
        }
        await(() -> replicas.stream()
                .allMatch(replica ->
                        String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up")));
        await(() -> servers().stream()
                .allMatch(server -> ((List<?>) Objects.requireNonNull(server.command("CLUSTER", "SLOTS")))
                        .stream().allMatch(range -> ((List<?>) range).size() == (replicas.isEmpty() ? 3 : 4))));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(FORMING_BOUND)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(condition);
    }

    private static String info(RedisView server) {
        return String.valueOf(server.command("CLUSTER", "INFO"));
    }

    private static String id(RedisView server) {
        return String.valueOf(server.command("CLUSTER", "MYID"));
    }

    /** Returns all servers: each master, as it was at the start, and then the replicas. */
    public List<TestRedis> servers() {
        return Stream.concat(masters.stream(), replicas.stream()).toList();
    }

    /** Returns the masters as they were at the start. */
    public List<TestRedis> masters() {
        return List.copyOf(masters);
    }

    /** Returns the replica of a master, both as they were at the start. */
    public TestRedis replicaOf(TestRedis master) {
        return replicas.get(masters.indexOf(master));
    }

    /** Returns the other server with the same slots: one of the two is the master, the other is its replica. */
    public TestRedis inOneShard(TestRedis server) {
        int replica = replicas.indexOf(server);
        return replica < 0 ? replicaOf(server) : masters.get(replica);
    }

    /** Returns the masters of today, as a server that runs says. */
    public List<TestRedis> mastersNow() {
        TestRedis asked = oneThatAnswers();
        List<Object> ports = new ArrayList<>();
        for (Object one : (List<?>) Objects.requireNonNull(asked.command("CLUSTER", "SLOTS"))) {
            ports.add(((List<?>) ((List<?>) one).get(2)).get(1));
        }
        return servers().stream()
                .filter(server -> ports.contains(Long.valueOf(server.port())))
                .toList();
    }

    /** Starts a killed server again, empty, as a replica of the server that has taken its place. */
    public void rejoin(TestRedis killed) {
        String before = Objects.requireNonNull(ids.get(killed));
        TestRedis master = inOneShard(killed);
        killed.restart();
        for (TestRedis server : servers()) {
            if (server != killed && answers(server)) {
                server.command("CLUSTER", "FORGET", before);
            }
        }
        master.command("CLUSTER", "MEET", killed.host(), Integer.toString(killed.port()));
        ids.put(killed, id(killed));
        await(() -> {
            // refused as long as the server does not know the master
            killed.command("CLUSTER", "REPLICATE", id(master));
            return true;
        });
    }

    /** Returns whether every slot has a master, with a replica that follows it, and all servers agree. */
    public boolean isWhole() {
        List<TestRedis> masters = mastersNow();
        return masters.size() == this.masters.size()
                && servers().stream().allMatch(server -> info(server).contains("cluster_state:ok"))
                && servers().stream()
                                .map(server -> String.valueOf(ranges(server)))
                                .distinct()
                                .count()
                        == 1
                && servers().stream()
                        .filter(server -> !masters.contains(server))
                        .allMatch(replica -> String.valueOf(replica.command("INFO", "replication"))
                                .contains("master_link_status:up"));
    }

    /** Returns the slots of each master, as a server knows them. */
    private static List<List<?>> ranges(TestRedis server) {
        return ((List<?>) Objects.requireNonNull(server.command("CLUSTER", "SLOTS")))
                .stream()
                        .map(range -> ((List<?>) range).subList(0, 3))
                        .sorted(Comparator.comparing(String::valueOf))
                        .<List<?>>map(range -> range)
                        .toList();
    }

    private TestRedis oneThatAnswers() {
        return servers().stream()
                .filter(TestCluster::answers)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no server of the cluster answers"));
    }

    /** Returns the address of every server, as {@code host:port}. */
    public List<String> addresses() {
        return servers().stream()
                .map(server -> server.host() + ":" + server.port())
                .toList();
    }

    /** Returns the slot of a key. */
    public int slotOf(String key) {
        return ((Long) Objects.requireNonNull(masters.get(0).command("CLUSTER", "KEYSLOT", key))).intValue();
    }

    /** Returns the server that has a slot now, as a server that runs says. */
    public TestRedis masterOf(int slot) {
        TestRedis asked = oneThatAnswers();
        for (Object one : (List<?>) Objects.requireNonNull(asked.command("CLUSTER", "SLOTS"))) {
            List<?> range = (List<?>) one;
            if ((Long) range.get(0) <= slot && slot <= (Long) range.get(1)) {
                Object port = ((List<?>) range.get(2)).get(1);
                return servers().stream()
                        .filter(server -> Long.valueOf(server.port()).equals(port))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no server of ours has port " + port));
            }
        }
        throw new IllegalStateException("slot " + slot + " has no master");
    }

    private static boolean answers(RedisView server) {
        try {
            return "PONG".equals(server.command("PING"));
        } catch (RuntimeException ex) {
            return false;
        }
    }

    /** Sends a command to the master of its key, which is its second word. */
    public @Nullable Object command(String... words) {
        return masterOf(slotOf(words[1])).command(words);
    }

    /** Returns the keys of all masters. */
    public SortedSet<String> keys() {
        SortedSet<String> keys = new TreeSet<>();
        masters.forEach(master -> keys.addAll(master.keys()));
        return keys;
    }

    /** Moves a slot with its keys to another master, while clients go on, as {@code redis-cli --cluster reshard} does. */
    public void move(int slot, TestRedis to) {
        TestRedis from = masterOf(slot);
        String number = Integer.toString(slot);
        to.command("CLUSTER", "SETSLOT", number, "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", number, "MIGRATING", id(to));
        while (true) {
            List<?> keys = (List<?>) Objects.requireNonNull(from.command("CLUSTER", "GETKEYSINSLOT", number, "10"));
            if (keys.isEmpty()) {
                break;
            }
            List<String> migrate = new ArrayList<>(
                    List.of("MIGRATE", to.host(), Integer.toString(to.port()), "", "0", "5000", "KEYS"));
            keys.forEach(key -> migrate.add(String.valueOf(key)));
            from.command(migrate.toArray(String[]::new));
        }
        String owner = id(to);
        to.command("CLUSTER", "SETSLOT", number, "NODE", owner);
        from.command("CLUSTER", "SETSLOT", number, "NODE", owner);
        for (TestRedis other : mastersNow()) {
            if (other != to && other != from) {
                other.command("CLUSTER", "SETSLOT", number, "NODE", owner);
            }
        }
    }

    /** Ends all servers. */
    @Override
    public void close() {
        servers().forEach(TestRedis::close);
    }

    @Override
    public String toString() {
        return "cluster of " + masters + (replicas.isEmpty() ? "" : ", each with a replica");
    }
}
