package dev.baton.lock.benchmarks.cluster;

import dev.baton.lock.benchmarks.comparison.result.Spread;
import dev.baton.lock.benchmarks.report.MarkdownTable;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the two ways of sending a message in a cluster. A script on each master sends messages to one process, which
 * reads them all.
 */
final class MessageComparison {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)");
    private static final Pattern BUS = Pattern.compile("cluster_stats_messages_publish(?:shard)?_sent:(\\d+)");

    private static final String MESSAGE = "a message of forty bytes, as grants have";

    private final List<TestRedis> masters;
    /** For each master, a hash tag of one of its slots. */
    private final List<String> tags = new ArrayList<>();

    MessageComparison(TestCluster cluster) {
        this.masters = cluster.masters();
        for (TestRedis master : masters) {
            int tag = 0;
            while (cluster.masterOf(cluster.slotOf("{" + tag + "}")) != master) {
                tag++;
            }
            tags.add("{" + tag + "}");
        }
    }

    private enum Way {
        NONE("no message", ""),
        BROADCAST("`PUBLISH`, a subscription to one channel at each master", "PUBLISH"),
        SHARDED("`SPUBLISH`, a subscription to one channel of each master", "SPUBLISH");

        private final String label;
        private final String command;

        Way(String label, String command) {
            this.label = label;
            this.command = command;
        }

        private String script() {
            return this == NONE ? "return 0" : "return redis.call('" + command + "', ARGV[1], ARGV[2])";
        }
    }

    /**
     * The figures of one way in one round.
     *
     * @param rate scripts per second
     * @param cpu microseconds of all servers per script
     * @param copies messages that the process read, per script
     * @param bus messages between the servers, per script
     */
    private record Round(double rate, double cpu, double copies, double bus) {}

    /** Measures, and returns a table. Servers before Redis 7 have no sharded channels, so the table has no row of them. */
    MarkdownTable measure(int warmUps, int rounds, long millis) throws InterruptedException {
        List<Way> ways = new ArrayList<>(List.of(Way.values()));
        if (Integer.parseInt(masters.get(0).version().replaceAll("\\..*", "")) < 7) {
            ways.remove(Way.SHARDED);
        }
        Map<Way, List<Round>> results = new EnumMap<>(Way.class);
        for (int round = -warmUps; round < rounds; round++) {
            List<Way> order = new ArrayList<>(ways);
            Collections.shuffle(order);
            for (Way way : order) {
                Round done = run(way, millis);
                if (round >= 0) {
                    results.computeIfAbsent(way, w -> new ArrayList<>()).add(done);
                }
            }
        }
        MarkdownTable table = new MarkdownTable(
                "a script that sends", "scripts per second", "CPU of the servers, µs", "messages read", "bus messages");
        results.forEach((way, done) -> table.row(List.of(
                way.label,
                spread(done, Round::rate, "%.0f"),
                spread(done, Round::cpu, "%.0f"),
                spread(done, Round::copies, "%.2f"),
                spread(done, Round::bus, "%.2f"))));
        return table;
    }

    private Round run(Way way, long millis) throws InterruptedException {
        LongAdder read = new LongAdder();
        LongAdder sent = new LongAdder();
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(masters.size());
        List<RespConnection> subscriptions = new ArrayList<>();
        for (int i = 0; way != Way.NONE && i < masters.size(); i++) {
            RespConnection subscription = masters.get(i).connect();
            subscription.command(way == Way.BROADCAST ? "SUBSCRIBE" : "SSUBSCRIBE", channel(way, i));
            subscriptions.add(subscription);
            start(() -> readAll(subscription, over, read));
        }
        double cpu = sum(CPU, "INFO", "cpu");
        double bus = sum(BUS, "CLUSTER", "INFO");
        long begun = System.nanoTime();
        for (int i = 0; i < masters.size(); i++) {
            int at = i;
            start(() -> {
                try (RespConnection connection = masters.get(at).connect()) {
                    while (!over.get()) {
                        connection.command(
                                "EVAL", way.script(), "1", "inbox" + tags.get(at), channel(way, at), MESSAGE);
                        sent.increment();
                    }
                } finally {
                    ended.countDown();
                }
            });
        }
        TimeUnit.MILLISECONDS.sleep(millis);
        over.set(true);
        if (!ended.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(ended.getCount() + " senders do not end: " + way);
        }
        long copies = sent.sum() * copies(way);
        awaitRead(read, copies);
        double seconds = (System.nanoTime() - begun) / 1e9;
        double scripts = sent.sum();
        Round round = new Round(
                scripts / seconds,
                (sum(CPU, "INFO", "cpu") - cpu) * 1e6 / scripts,
                read.sum() / scripts,
                (sum(BUS, "CLUSTER", "INFO") - bus) / scripts);
        subscriptions.forEach(RespConnection::close);
        return round;
    }

    /** The channel of a broadcast is the same at all masters. A sharded channel is in a slot of its master. */
    private String channel(Way way, int master) {
        return way == Way.BROADCAST ? "inbox" : "inbox" + tags.get(master);
    }

    private int copies(Way way) {
        return switch (way) {
            case NONE -> 0;
            case BROADCAST -> masters.size();
            case SHARDED -> 1;
        };
    }

    private static void readAll(RespConnection subscription, AtomicBoolean over, LongAdder read) {
        try {
            while (true) {
                subscription.read();
                read.increment();
            }
        } catch (UncheckedIOException ex) {
            if (!over.get()) {
                throw ex;
            }
        }
    }

    private static void awaitRead(LongAdder read, long copies) throws InterruptedException {
        long begun = System.nanoTime();
        while (read.sum() < copies) {
            if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(10)) {
                throw new IllegalStateException(read.sum() + " of " + copies + " messages were read");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private double sum(Pattern figure, String... command) {
        double sum = 0;
        for (RedisView master : masters) {
            Matcher found = figure.matcher(String.valueOf(master.command(command)));
            while (found.find()) {
                sum += Double.parseDouble(found.group(1));
            }
        }
        return sum;
    }

    private static String spread(List<Round> rounds, ToDoubleFunction<Round> figure, String format) {
        return Spread.of(rounds.stream().map(figure::applyAsDouble).toList())
                .map(spread -> ClusterComparison.text(spread, format))
                .orElse("");
    }
}
