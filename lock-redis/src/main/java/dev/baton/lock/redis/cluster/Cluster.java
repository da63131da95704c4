package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.client.ServerAddress;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The masters of a Redis Cluster, as long as a store runs. Asks the servers which master has which slots: one of them every
 * five seconds, and all masters at once when a command has failed. Then what most of them say counts, because a master that
 * is cut off does not know that another has taken its slots.
 *
 * <p>Connects to each master on its own, whatever the settings of the client library say about the topology. Thread-safe.
 */
public final class Cluster {

    private static final Logger log = LoggerFactory.getLogger(Cluster.class);

    private static final long CALM_MILLIS = 5_000;
    private static final long TROUBLED_MILLIS = 200;
    /** The pause after several attempts that found no slots. */
    private static final long LONGEST_TROUBLED_MILLIS = 1_000;
    /** How long the answers of several servers are awaited. */
    private static final long SURVEY_MILLIS = 1_000;

    private static final long STOP_BOUND_MILLIS = 1_000;

    private final ClientLibrary library;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final SlotSurvey survey;

    private final AtomicBoolean started = new AtomicBoolean();
    /** Whether a command has failed since the servers were last asked. */
    private final AtomicBoolean troubled = new AtomicBoolean();

    private volatile @Nullable GrantMessages messages;
    private volatile boolean stopped;
    private volatile View view = new View(ClusterMap.EMPTY, Map.of(), 0);
    /** Why the slots are unknown, or {@code null} if no server has failed to answer. */
    private volatile @Nullable Throwable unknown;

    /** Used only by the store's thread. */
    private long lastSurvey = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(CALM_MILLIS);
    /** Used only by the store's thread. Counts the surveys that were planned, of which only the last takes place. */
    private long planned;
    /** Used only by the store's thread. How many surveys in a row have found no slots. */
    private int futile;

    /**
     * What is known of a cluster.
     *
     * @param servers the masters of the map
     * @param version another number for each map
     */
    private record View(ClusterMap map, Map<ServerAddress, ClusterServer> servers, long version) {}

    /**
     * Creates the cluster without connecting.
     *
     * @param library the client library, with the configuration of the cluster
     */
    public Cluster(ClientLibrary library, RedisFailures failures, StoreThreads threads) {
        this.library = library;
        this.failures = failures;
        this.threads = threads;
        this.survey = new SlotSurvey(this::ask, SURVEY_MILLIS);
    }

    /** Returns what sends each script to the master of its first key. */
    public ScriptTransport transport() {
        return new ClusterTransport(this, failures, threads);
    }

    /**
     * Returns the subscription of this process at each master, which is not started.
     *
     * @param received receives the messages, or {@code null} if no message is awaited
     */
    public GrantSubscription subscription(@Nullable GrantMessages received) {
        return new ClusterInbox(this, received);
    }

    /**
     * Begins to ask for the slots. Only the first call has an effect.
     *
     * @param received receives the messages of each master, or {@code null} if no message is awaited
     */
    void start(@Nullable GrantMessages received) {
        messages = received;
        if (started.compareAndSet(false, true)) {
            plan(0);
        }
    }

    /** Returns whether each master would deliver messages. */
    boolean isListening() {
        Collection<ClusterServer> servers = view.servers().values();
        return !servers.isEmpty() && servers.stream().allMatch(ClusterServer::isListening);
    }

    void listenAgain() {
        view.servers().values().forEach(ClusterServer::listenAgain);
    }

    /** Ends all subscriptions. Returns after a second if a server does not answer. */
    void stopListening() {
        onEach(view.servers().values(), ClusterServer::stopListening);
    }

    /** Closes all connections. */
    void close() {
        stopped = true;
        survey.close();
        onEach(view.servers().values(), ClusterServer::close);
    }

    /** Says that a command has failed, perhaps because its slot has another master. */
    public void troubled() {
        if (!troubled.getAndSet(true)) {
            plan(TROUBLED_MILLIS);
        }
    }

    /** Returns what sends scripts to the master of a slot, or {@code null} if no master is known. */
    @Nullable
    ScriptTransport master(int slot) {
        View now = view;
        return at(now, now.map().masterOf(slot));
    }

    /** Returns what sends scripts to a master that another master has named, or {@code null} if it is not known. */
    @Nullable
    ScriptTransport master(String address) {
        return view.servers().entrySet().stream()
                .filter(server -> server.getKey().toString().equals(address))
                .map(server -> server.getValue().transport())
                .findFirst()
                .orElse(null);
    }

    /**
     * A master.
     *
     * @param transport sends scripts to it
     * @param lowestSlot the lowest of its slots
     */
    public record Master(ScriptTransport transport, int lowestSlot) {}

    /** Returns the master of a slot, or {@code null} if none is known. */
    public @Nullable Master masterWith(int slot) {
        View now = view;
        ServerAddress address = now.map().masterOf(slot);
        ScriptTransport transport = at(now, address);
        Integer lowest = address == null ? null : now.map().lowestSlots().get(address);
        return transport == null || lowest == null ? null : new Master(transport, lowest);
    }

    /** Returns connections to the master of a slot on which commands may wait for its replicas; {@code null} if none is known. */
    public TransactionConnection.@Nullable Source connections(int slot) {
        View now = view;
        ServerAddress address = now.map().masterOf(slot);
        ClusterServer server = address == null ? null : now.servers().get(address);
        return server == null ? null : server.connections();
    }

    /** Returns what sends scripts to the master with the lowest slot, or {@code null} if no master is known. */
    @Nullable
    ScriptTransport anyMaster() {
        View now = view;
        return now.map().isEmpty() ? null : at(now, now.map().ranges().get(0).master());
    }

    private static @Nullable ScriptTransport at(View now, @Nullable ServerAddress address) {
        ClusterServer server = address == null ? null : now.servers().get(address);
        return server == null ? null : server.transport();
    }

    ClusterMap map() {
        return view.map();
    }

    /** Returns a number that changes whenever a connection breaks, or the masters change. */
    long epoch() {
        View now = view;
        long sum = 0;
        for (ClusterServer server : now.servers().values()) {
            sum += server.transport().epoch();
        }
        return (now.version() << Integer.SIZE) + sum;
    }

    /** Returns the failure of a command that no master is known for. */
    StoreException unknownSlots() {
        return failures.unknownSlots(map().isEmpty() ? unknown : null);
    }

    /** Lets the store's thread ask for the slots, at most so often. */
    private void plan(long leastMillis) {
        run(() -> {
            long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastSurvey);
            next(Math.max(0, leastMillis - since));
        });
    }

    private void next(long millis) {
        long number = ++planned;
        if (stopped) {
            return;
        }
        try {
            threads.subscriber()
                    .schedule(
                            () -> {
                                if (number == planned) {
                                    look();
                                }
                            },
                            millis,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; the slots are no longer asked for");
        }
    }

    private void run(Runnable task) {
        try {
            threads.subscriber().execute(task);
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; the slots are no longer asked for");
        }
    }

    private void look() {
        boolean all = troubled.getAndSet(false) || map().isEmpty();
        futile++;
        try {
            SlotSurvey.Result result = all ? askAll() : survey.ofOne(map().masters());
            ClusterMap found = result.map();
            if (found == null) {
                unknown = result.failure();
                troubled.set(true);
            } else if (all) {
                apply(found);
                futile = 0;
            } else {
                futile = 0;
                // one server may be wrong: if it says something else, ask the others, too
                troubled.compareAndSet(false, !found.equals(map()));
            }
        } catch (RuntimeException ex) {
            if (!stopped) {
                log.debug("The masters of the Redis Cluster could not be followed; the next attempt follows", ex);
            }
            unknown = ex;
            troubled.set(true);
        } finally {
            lastSurvey = System.nanoTime();
            next(
                    troubled.get()
                            ? Math.min(LONGEST_TROUBLED_MILLIS, TROUBLED_MILLIS << Math.min(futile, 3))
                            : CALM_MILLIS);
        }
    }

    /** Asks all masters, and the configured servers, too, if no more than half of the masters have answered. */
    private SlotSurvey.Result askAll() {
        Set<ServerAddress> masters = map().masters();
        SlotSurvey.Result result = survey.ofAll(masters);
        if (2 * result.answers() > masters.size()) {
            return result;
        }
        Set<ServerAddress> every = new LinkedHashSet<>(masters);
        every.addAll(library.seeds());
        return survey.ofAll(every);
    }

    /** Asks one server for the slots. A server that is no master gets a connection for this question only. */
    private @Nullable Object ask(ServerAddress address) {
        ClusterServer known = view.servers().get(address);
        if (known != null) {
            return known.ask("CLUSTER", "SLOTS");
        }
        ClientLibrary once = library.server(address);
        try {
            return once.ask("CLUSTER", "SLOTS");
        } finally {
            once.close();
        }
    }

    private void apply(ClusterMap found) {
        View before = view;
        if (found.equals(before.map())) {
            return;
        }
        Map<ServerAddress, ClusterServer> servers = new LinkedHashMap<>();
        List<ClusterServer> added = new ArrayList<>();
        for (ServerAddress master : found.masters()) {
            ClusterServer known = before.servers().get(master);
            ClusterServer server =
                    known == null ? new ClusterServer(library.server(master), failures, messages) : known;
            servers.put(master, server);
            if (known == null) {
                added.add(server);
            }
        }
        view = new View(found, servers, before.version() + 1);
        log.debug("The masters of the Redis Cluster are {}", servers.keySet());
        added.forEach(ClusterServer::listen);
        Map<ServerAddress, ClusterServer> gone = new HashMap<>(before.servers());
        gone.keySet().removeAll(servers.keySet());
        if (!gone.isEmpty()) {
            onEach(gone.values(), ClusterServer::close);
        }
        if (stopped) {
            onEach(servers.values(), ClusterServer::close);
        }
    }

    /** Does the same to several servers at once. Returns after a second if one of them does not answer. */
    private static void onEach(Collection<ClusterServer> servers, Consumer<ClusterServer> task) {
        CountDownLatch done = new CountDownLatch(servers.size());
        for (ClusterServer server : servers) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            task.accept(server);
                        } catch (RuntimeException ex) {
                            log.debug("Closing the connections to a server failed", ex);
                        } finally {
                            done.countDown();
                        }
                    },
                    "baton-store-close");
            thread.setDaemon(true);
            thread.start();
        }
        try {
            if (!done.await(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                log.debug("{} of {} servers do not answer", done.getCount(), servers.size());
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
