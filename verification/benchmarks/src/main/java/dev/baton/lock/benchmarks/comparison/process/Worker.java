package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Place;
import dev.baton.lock.benchmarks.comparison.contender.Player;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One of several processes that contend. It is told what to do line by line, and answers so; {@link Workers} speaks to it. */
final class Worker {

    /** What an answer begins with if the contender did not finish. */
    static final String FAILED = "failed: ";
    /** Many times as long as the longest task of a contender takes. */
    private static final long TASK_SECONDS = 30;

    private final Place place;
    private final PrintStream answers;
    private final Map<Contestant, Contender> contenders = new EnumMap<>(Contestant.class);
    private volatile Contender.@Nullable Hold held;
    private volatile @Nullable Player player;
    private @Nullable Crew crowd;
    /** One thread that acquires and releases: the holder of a lock is a thread. */
    private ExecutorService locking = locking();

    private Worker(Place place, PrintStream answers) {
        this.place = place;
        this.answers = answers;
    }

    /** Takes a host and a port, and orders from standard input until that ends. */
    public static void main(String... args) throws IOException, InterruptedException {
        Worker worker = new Worker(new Place(args[0], Integer.parseInt(args[1])), System.out);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            worker.obey(line.split(" "));
        }
        System.exit(0);
    }

    private void obey(String[] order) throws InterruptedException {
        switch (order[0]) {
            case "open" -> {
                contender(order[1]);
                answers.println("opened");
            }
            case "cpu" -> answers.println("cpu " + ProcessMeter.cpuNanos());
            case "load" -> load(contender(order[1]), order);
            case "take" -> take(contender(order[1]), order[2]);
            case "relay" -> relay(contender(order[1]), order);
            case "turn" -> turn(contender(order[1]), order[2], Integer.parseInt(order[3]));
            case "join" -> join(contender(order[1]), order[2], Integer.parseInt(order[3]));
            case "rally" -> rally(contender(order[1]), order);
            case "passed" -> passed();
            case "crowd" -> crowd(contender(order[1]), order[2], Integer.parseInt(order[3]));
            default -> throw new IllegalArgumentException("No such order: " + String.join(" ", order));
        }
    }

    private Contender contender(String name) {
        return contenders.computeIfAbsent(Contestant.valueOf(name), contestant -> contestant.open(place));
    }

    private void load(Contender contender, String[] order) {
        Load load = new Load(Integer.parseInt(order[3]), Long.parseLong(order[4]), Long.parseLong(order[5]));
        answers.println("done " + joined(load.run(contender, number -> order[2])));
    }

    private static String joined(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    private void take(Contender contender, String name) throws InterruptedException {
        answers.println("taken "
                + bounded(() -> {
                    held = Relay.take(contender, name);
                    return "";
                }));
    }

    private void relay(Contender contender, String[] order) throws InterruptedException {
        Relay relay = new Relay(Integer.parseInt(order[4]), Long.parseLong(order[5]), Long.parseLong(order[6]));
        answers.println("relayed "
                + bounded(() -> {
                    Contender.Hold giving = Objects.requireNonNull(held, "nothing to give");
                    held = null;
                    return joined(relay.run(contender, order[2], Integer.parseInt(order[3]), giving));
                }));
    }

    private void join(Contender contender, String name, int me) throws InterruptedException {
        answers.println("joined "
                + bounded(() -> {
                    player = contender.join(name, me);
                    return "";
                }));
    }

    private void rally(Contender contender, String[] order) throws InterruptedException {
        int me = Integer.parseInt(order[3]);
        Rally rally = new Rally(Integer.parseInt(order[4]));
        answers.println("rallied "
                + bounded(() -> {
                    Player entered = player;
                    player = null;
                    return joined(rally.play(entered == null ? contender.join(order[2], me) : entered, me));
                }));
    }

    /** Runs a task on the thread that acquires. A thread whose task does not end is replaced by another. */
    private String bounded(Callable<String> work) throws InterruptedException {
        Future<String> task = locking.submit(work);
        try {
            return task.get(TASK_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            locking = locking();
            return FAILED + "its task took longer than " + TASK_SECONDS + " s";
        } catch (ExecutionException ex) {
            return FAILED + String.valueOf(ex.getCause()).replaceAll("\\s+", " ");
        }
    }

    private static ExecutorService locking() {
        return Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "locking");
            thread.setDaemon(true);
            return thread;
        });
    }

    private void turn(Contender contender, String name, int acquisitions) throws InterruptedException {
        answers.println("turned "
                + bounded(() -> {
                    long start = System.nanoTime();
                    for (int i = 0; i < acquisitions; i++) {
                        contender.acquire(name).release();
                    }
                    return Long.toString(System.nanoTime() - start);
                }));
    }

    private void crowd(Contender contender, String name, int threads) throws InterruptedException {
        CountDownLatch there = new CountDownLatch(threads);
        crowd = Crew.start(threads, number -> {
            there.countDown();
            Contender.Hold hold = contender.acquire(name);
            long at = System.nanoTime();
            hold.release();
            return at;
        });
        there.await();
        answers.println("waiting");
    }

    private void passed() {
        Crew passing = Objects.requireNonNull(crowd, "no crowd");
        crowd = null;
        answers.println("passed "
                + Arrays.stream(passing.await())
                        .reduce((a, b) -> a - b > 0 ? a : b)
                        .orElseThrow());
    }
}
