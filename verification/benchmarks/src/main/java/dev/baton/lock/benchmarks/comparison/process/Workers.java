package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The other processes of a run. For one thread at a time. */
public final class Workers implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(3);
    // the last one counts: processes of tests are started without the second compiler
    private static final List<String> OPTIMIZED = List.of("-XX:TieredStopAtLevel=4");

    private final List<JavaProcess> processes;

    private Workers(List<JavaProcess> processes) {
        this.processes = processes;
    }

    /**
     * Starts them.
     *
     * @param count how many
     * @param optimized whether they are to become fast, or to start fast
     */
    public static Workers start(int count, boolean optimized, TestRedis redis) {
        List<String> options = optimized ? OPTIMIZED : List.of();
        return new Workers(IntStream.range(0, count)
                .mapToObj(i -> JavaProcess.start(options, Worker.class, redis.host(), Integer.toString(redis.port())))
                .toList());
    }

    /** How many there are. */
    public int count() {
        return processes.size();
    }

    /** Connects all of them. */
    public void open(Contestant contestant) {
        tell("open " + contestant);
        processes.forEach(process -> process.awaitLine("opened", BOUND));
    }

    /** The CPU time of all of them so far, in nanoseconds. */
    public long cpuNanos() {
        tell("cpu");
        return processes.stream()
                .mapToLong(process -> numbers(process, "cpu")[0])
                .sum();
    }

    /** Has all of them contend for one lock; the acquisitions of each thread of each process. */
    public List<long[]> load(Contestant contestant, String name, Load load) {
        tell("load %s %s %d %d %d".formatted(contestant, name, load.threads(), load.startNanos(), load.nanos()));
        return processes.stream().map(process -> numbers(process, "done")).toList();
    }

    /**
     * Has two of them hand locks over to each other.
     *
     * @param prefix the first part of the names of the locks
     * @return microseconds from just before each release to its grant
     * @throws ContenderFailure if a process did not get its locks
     */
    public List<Double> relay(Contestant contestant, String prefix, Relay relay) {
        List<JavaProcess> two = processes.subList(0, 2);
        for (int me = 0; me < 2; me++) {
            two.get(me).println("take " + contestant + " " + Relay.name(prefix, me));
        }
        answers(two, "taken");
        for (int me = 0; me < 2; me++) {
            two.get(me)
                    .println("relay %s %s %d %d %d %d"
                            .formatted(
                                    contestant,
                                    prefix,
                                    me,
                                    relay.handOvers(),
                                    relay.restMicros(),
                                    relay.spreadMicros()));
        }
        List<long[]> times =
                answers(two, "relayed").stream().map(Workers::numbers).toList();
        return IntStream.range(0, relay.handOvers())
                .mapToObj(i -> (times.get((i + 1) % 2)[i] - times.get(i % 2)[i]) / 1e3)
                .toList();
    }

    /**
     * Has two of them use one lock in turns, never at the same time.
     *
     * @param each the acquisitions per turn
     * @return the nanoseconds of all turns, without the time between them
     * @throws ContenderFailure if a process did not get its locks
     */
    public long turns(Contestant contestant, String name, int turns, int each) {
        long nanos = 0;
        for (int turn = 0; turn < turns; turn++) {
            JavaProcess process = processes.get(turn % 2);
            process.println("turn %s %s %d".formatted(contestant, name, each));
            nanos += numbers(answers(List.of(process), "turned").get(0))[0];
        }
        return nanos;
    }

    /**
     * Has two of them hand a turn to each other.
     *
     * @return the microseconds from the beginning of each turn to that of the next one
     * @throws ContenderFailure if a process did not get its turns, or had one that was not its own
     */
    public List<Double> rally(Contestant contestant, String name, Rally rally) {
        List<JavaProcess> two = processes.subList(0, 2);
        // the other one enters once this one waits and has released the lock
        two.get(1).println("join %s %s 1".formatted(contestant, name));
        answers(two.subList(1, 2), "joined");
        for (int me = 1; me >= 0; me--) {
            two.get(me).println("rally %s %s %d %d".formatted(contestant, name, me, rally.turns()));
        }
        return rally.micros(
                answers(two, "rallied").stream().map(Workers::numbers).toList());
    }

    /** Has threads of all of them wait for a lock; returns when they are about to. */
    public void gather(Contestant contestant, String name, int threadsEach) {
        tell("crowd %s %s %d".formatted(contestant, name, threadsEach));
        processes.forEach(process -> process.awaitLine("waiting", BOUND));
    }

    /** Waits until each of them has had the lock; the moment at which the last got it, by {@code System.nanoTime()}. */
    public long passed() {
        tell("passed");
        return processes.stream()
                .flatMapToLong(process -> LongStream.of(numbers(process, "passed")[0]))
                .reduce((a, b) -> a - b > 0 ? a : b)
                .orElseThrow();
    }

    private void tell(String order) {
        processes.forEach(process -> process.println(order));
    }

    /** Reads all answers before one of them fails. */
    private static List<String> answers(List<JavaProcess> processes, String prefix) {
        List<String> answers = processes.stream()
                .map(process -> process.awaitLine(prefix, BOUND))
                .toList();
        answers.stream()
                .filter(answer -> answer.startsWith(Worker.FAILED, prefix.length() + 1))
                .findFirst()
                .ifPresent(answer -> {
                    throw new ContenderFailure(answer.substring(prefix.length() + 1 + Worker.FAILED.length()));
                });
        return answers;
    }

    private static long[] numbers(JavaProcess process, String prefix) {
        return numbers(process.awaitLine(prefix, BOUND));
    }

    private static long[] numbers(String answer) {
        String[] words = answer.split(" ");
        return Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray();
    }

    @Override
    public void close() {
        processes.forEach(JavaProcess::close);
    }
}
