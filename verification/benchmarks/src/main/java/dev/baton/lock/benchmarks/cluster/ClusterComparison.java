package dev.baton.lock.benchmarks.cluster;

import dev.baton.lock.benchmarks.comparison.result.Spread;
import dev.baton.lock.benchmarks.report.Machine;
import dev.baton.lock.benchmarks.report.MarkdownTable;
import dev.baton.lock.benchmarks.report.Measured;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares Baton and Redisson, each on one server and in clusters of three and six masters, in one run. Each contender has
 * two processes in this JVM, each with connections of its own.
 */
public final class ClusterComparison {

    private static final int PROCESSES = 2;
    private static final int THREADS = 16;
    private static final Pattern BUS = Pattern.compile("cluster_stats_messages_publish_sent:(\\d+)");

    private ClusterComparison() {}

    private enum Contender {
        BATON_ONE("Baton, one server", 1, Locks::baton),
        BATON_THREE("Baton, three masters", 3, Locks::baton),
        BATON_SIX("Baton, six masters", 6, Locks::baton),
        REDISSON_ONE("Redisson, one server", 1, Locks::redisson),
        REDISSON_THREE("Redisson, three masters", 3, Locks::redisson),
        REDISSON_SIX("Redisson, six masters", 6, Locks::redisson);

        private final String label;
        private final int masters;

        @SuppressWarnings("ImmutableEnumChecker") // has no state
        private final Function<List<? extends RedisView>, Locks> open;

        Contender(String label, int masters, Function<List<? extends RedisView>, Locks> open) {
            this.label = label;
            this.masters = masters;
            this.open = open;
        }

        private boolean isClustered() {
            return masters > 1;
        }
    }

    private enum Task {
        OWN("a lock for each of 16 threads", thread -> "own." + thread),
        FEW("16 threads, four locks", thread -> "few." + thread / 2 % 4),
        ONE("16 threads, one lock", thread -> "one");

        private final String label;

        @SuppressWarnings("ImmutableEnumChecker") // has no state
        private final Function<Integer, String> name;

        Task(String label, Function<Integer, String> name) {
            this.label = label;
            this.name = name;
        }
    }

    /** What one contender did in one round of one task. */
    private record Round(double rate, double commands, double bus) {}

    /**
     * Measures and writes {@code cluster.md}.
     *
     * @param args the folder for the page, {@code results} by default; {@code --quick} for a run that only shows that it works
     */
    public static void main(String... args) throws IOException, InterruptedException {
        List<String> given = new ArrayList<>(List.of(args));
        boolean quick = given.remove("--quick");
        measure(Path.of(given.isEmpty() ? "results" : given.get(0)).resolve("cluster.md"), quick);
        // others leave threads behind
        System.exit(0);
    }

    static void measure(Path page, boolean quick) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Map<Task, Map<Contender, List<Round>>> results = new EnumMap<>(Task.class);
        String version;
        MarkdownTable messages;
        try (TestRedis one = TestRedis.start();
                TestCluster three = TestCluster.start(3, false);
                TestCluster six = TestCluster.start(6, false)) {
            version = one.version();
            Map<Integer, List<? extends RedisView>> topologies =
                    Map.of(1, List.of(one), 3, three.masters(), 6, six.masters());
            Map<Contender, List<Locks>> locks = new EnumMap<>(Contender.class);
            for (Contender contender : Contender.values()) {
                List<Locks> processes = new ArrayList<>();
                for (int p = 0; p < PROCESSES; p++) {
                    processes.add(contender.open.apply(Objects.requireNonNull(topologies.get(contender.masters))));
                }
                locks.put(contender, processes);
            }
            for (Task task : Task.values()) {
                Map<Contender, List<Round>> rounds = results.computeIfAbsent(task, t -> new EnumMap<>(Contender.class));
                for (int round = quick ? 0 : -2; round < (quick ? 1 : 11); round++) {
                    List<Contender> order = new ArrayList<>(List.of(Contender.values()));
                    Collections.shuffle(order);
                    for (Contender contender : order) {
                        List<? extends RedisView> servers = Objects.requireNonNull(topologies.get(contender.masters));
                        Round done = run(task, of(locks, contender), servers, quick ? 50 : 500);
                        if (round >= 0) {
                            rounds.computeIfAbsent(contender, c -> new ArrayList<>())
                                    .add(done);
                        }
                    }
                }
            }
            locks.values().forEach(processes -> processes.forEach(Locks::close));
            messages = new MessageComparison(six).measure(quick ? 0 : 2, quick ? 1 : 11, quick ? 50 : 500);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        Measured.write(page, page(results, messages, version, seconds, quick));
    }

    private static Round run(Task task, List<Locks> processes, List<? extends RedisView> servers, long millis)
            throws InterruptedException {
        servers.forEach(RedisView::resetStats);
        long busBefore = bus(servers);
        AtomicBoolean over = new AtomicBoolean();
        LongAdder taken = new LongAdder();
        CountDownLatch ended = new CountDownLatch(THREADS);
        long begun = System.nanoTime();
        for (int t = 0; t < THREADS; t++) {
            Locks mine = processes.get(t % processes.size());
            String name = task.name.apply(t);
            Thread thread = new Thread(() -> {
                try {
                    while (!over.get()) {
                        mine.with(name, taken::increment);
                    }
                } finally {
                    ended.countDown();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        TimeUnit.MILLISECONDS.sleep(millis);
        over.set(true);
        if (!ended.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(ended.getCount() + " threads do not end: " + task.label);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        double acquisitions = taken.sum();
        return new Round(
                acquisitions / seconds, commands(servers) / acquisitions, (bus(servers) - busBefore) / acquisitions);
    }

    /** Returns the commands of clients. Those that a script calls count as the script. */
    private static double commands(List<? extends RedisView> servers) {
        double sum = 0;
        for (RedisView server : servers) {
            Map<String, Long> calls = new HashMap<>(server.commandStats());
            for (String script : List.of("evalsha", "eval")) {
                sum += calls.getOrDefault(script, 0L);
            }
        }
        return sum;
    }

    private static long bus(List<? extends RedisView> servers) {
        if (servers.size() == 1) {
            return 0;
        }
        long sum = 0;
        for (RedisView server : servers) {
            Matcher sent = BUS.matcher(String.valueOf(server.command("CLUSTER", "INFO")));
            sum += sent.find() ? Long.parseLong(sent.group(1)) : 0;
        }
        return sum;
    }

    private static String page(
            Map<Task, Map<Contender, List<Round>>> results,
            MarkdownTable messages,
            String version,
            long seconds,
            boolean quick) {
        StringBuilder text = new StringBuilder("# Locks in a Redis Cluster\n\n");
        if (quick) {
            text.append("**A quick run, whose figures mean nothing.**\n\n");
        }
        text.append("""
                One run of %d s on %s.
                The server is redis-server %s. There is one server, and there are clusters of three and of six masters, all on
                the machine of their clients. Two processes with eight threads each are in one JVM. Baton is in strict order
                (`cohort.limit: 0`), so that each hand-over goes by way of Redis. The contenders take turns in rounds of half
                a second. Figures are medians of the rounds with their quartiles, and ratios are taken within a round. Scripts
                are those that clients send. Bus messages are those that carry a message to the other masters. Both are per
                acquisition with its release. Masters share the cores of the machine, so more masters cannot be faster here.
                """.formatted(seconds, Machine.details(), version));
        results.forEach((task, contenders) -> {
            text.append("\n## ").append(task.label).append("\n\n");
            MarkdownTable table = new MarkdownTable(
                    "contender", "per second", "/ one server", "/ Redisson", "scripts", "bus messages");
            contenders.forEach((contender, rounds) -> table.row(List.of(
                    contender.label,
                    spread(rates(rounds), "%.0f"),
                    contender.isClustered() ? ratio(rounds, of(contenders, onOneServer(contender))) : "",
                    ratioToRedisson(contender, contenders),
                    spread(figures(rounds, Round::commands), "%.2f"),
                    contender.isClustered() ? spread(figures(rounds, Round::bus), "%.2f") : "")));
            text.append(table);
        });
        text.append("""

                ## Messages on six masters

                Six connections, one to each master, run a script that sends a message to one process. The figures are per
                script. The CPU of the process that reads the messages is not counted.

                """).append(messages);
        return text.toString();
    }

    private static <T> T of(Map<Contender, T> all, Contender contender) {
        return Objects.requireNonNull(all.get(contender));
    }

    private static Contender onOneServer(Contender contender) {
        return contender == Contender.BATON_THREE || contender == Contender.BATON_SIX
                ? Contender.BATON_ONE
                : Contender.REDISSON_ONE;
    }

    private static String ratioToRedisson(Contender contender, Map<Contender, List<Round>> contenders) {
        return switch (contender) {
            case BATON_ONE -> ratio(of(contenders, contender), of(contenders, Contender.REDISSON_ONE));
            case BATON_THREE -> ratio(of(contenders, contender), of(contenders, Contender.REDISSON_THREE));
            case BATON_SIX -> ratio(of(contenders, contender), of(contenders, Contender.REDISSON_SIX));
            default -> "";
        };
    }

    private static Map<Integer, Double> figures(List<Round> rounds, Function<Round, Double> figure) {
        Map<Integer, Double> figures = new HashMap<>();
        for (int i = 0; i < rounds.size(); i++) {
            figures.put(i, figure.apply(rounds.get(i)));
        }
        return figures;
    }

    private static Map<Integer, Double> rates(List<Round> rounds) {
        return figures(rounds, Round::rate);
    }

    private static String ratio(List<Round> rounds, List<Round> bases) {
        return Spread.ofRatios(rates(rounds), rates(bases))
                .map(spread -> text(spread, "%.2f"))
                .orElse("");
    }

    private static String spread(Map<Integer, Double> figures, String format) {
        return Spread.of(figures.values()).map(spread -> text(spread, format)).orElse("");
    }

    /** Returns a median with its quartiles. */
    static String text(Spread spread, String format) {
        return String.format(
                Locale.ROOT,
                format + " (" + format + " - " + format + ")",
                spread.median(),
                spread.low(),
                spread.high());
    }
}
