package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Place;
import dev.baton.lock.benchmarks.comparison.process.CommandCount;
import dev.baton.lock.benchmarks.comparison.process.RedisMeter;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Results;
import dev.baton.lock.harness.TestRedis;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run: its Redis, its processes and what was found. For one thread at a time. */
public final class Bench implements AutoCloseable {

    /** How many processes contend, unless figures do not matter. */
    public static final int PROCESSES = 4;

    private final TestRedis redis = TestRedis.start();
    private final Place place = new Place(redis.host(), redis.port());
    private final RedisMeter meter = new RedisMeter(redis);
    private final Map<Contestant, Contender> contenders = new EnumMap<>(Contestant.class);
    private final Random random = new Random();
    private final Results results = new Results();
    private final boolean quick;
    private final Set<Contestant> taking;
    private @Nullable Workers workers;
    private int names;

    /**
     * Starts a Redis.
     *
     * @param quick whether figures do not matter
     * @param taking the contestants that take part, where contestants do
     */
    public Bench(boolean quick, Set<Contestant> taking) {
        this.quick = quick;
        this.taking = taking;
    }

    /** What was found so far. */
    public Results results() {
        return results;
    }

    /** The version of the Redis. */
    public String redisVersion() {
        return redis.version();
    }

    boolean takesPart(Contestant contestant) {
        return taking.contains(contestant);
    }

    boolean quick() {
        return quick;
    }

    /** The former, or the latter if figures do not matter. */
    int either(int full, int little) {
        return quick ? little : full;
    }

    Place place() {
        return place;
    }

    RedisMeter meter() {
        return meter;
    }

    CommandCount count() {
        return CommandCount.start(redis);
    }

    /** A lock that has not been used. */
    String newName() {
        return "lock-" + ++names;
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    /** Connects in this process at the first call. */
    Contender contender(Contestant contestant) {
        return contenders.computeIfAbsent(contestant, opening -> opening.open(place));
    }

    /** The other processes, started at the first call. */
    Workers workers() {
        Workers present = workers;
        if (present == null) {
            present = Workers.start(either(PROCESSES, 2), !quick, redis);
            workers = present;
        }
        return present;
    }

    /**
     * Takes turns: each once per round, in a new order in each round.
     *
     * @param warmUps rounds before the first that counts; their numbers are negative, and the last of them is -1
     */
    <T> void play(Collection<T> all, int warmUps, int rounds, Turn<T> turn) throws InterruptedException {
        List<T> order = new ArrayList<>(all);
        order.removeIf(entry -> entry instanceof Contestant contestant && !takesPart(contestant));
        for (int round = -warmUps; round < rounds; round++) {
            Collections.shuffle(order, random);
            for (T next : order) {
                meter.keyspaceEvents(next instanceof Contestant contestant && contestant.needsKeyspaceEvents());
                try {
                    turn.play(next, round);
                } catch (RuntimeException ex) {
                    throw new IllegalStateException(next + " failed in round " + round + ": " + ex.getMessage(), ex);
                }
            }
        }
    }

    @Override
    public void close() {
        if (workers != null) {
            workers.close();
        }
        contenders.values().forEach(Contender::close);
        place.close();
        meter.close();
        redis.close();
    }

    /** What one does in a round. */
    @FunctionalInterface
    interface Turn<T> {
        void play(T contestant, int round) throws InterruptedException;
    }
}
