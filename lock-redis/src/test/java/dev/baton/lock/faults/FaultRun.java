package dev.baton.lock.faults;

import dev.baton.lock.faults.Contender.HeldLock;
import dev.baton.lock.faults.Contender.LeaseKind;
import dev.baton.lock.harness.History;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three processes with four threads each compete for two locks, each process behind a proxy, while one fault follows
 * another. Records until when the holders rely on their locks. The seed determines the faults and requests, not how the
 * threads interleave.
 */
final class FaultRun implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(1);
    static final Duration LIMITED = Duration.ofMillis(300);
    static final Duration RECHECK = Duration.ofMillis(300);
    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(800);

    private static final Logger log = LoggerFactory.getLogger(FaultRun.class);

    static final int PROCESSES = 3;
    private static final int THREADS = 4;
    private static final List<String> NAMES = List.of("one", "two");

    private final History history = new History();
    private final AtomicLong requests = new AtomicLong();
    private final Map<String, Integer> happened = new TreeMap<>();
    /** Nanoseconds by which the latest request outlasted its wait time. */
    private final AtomicLong latest = new AtomicLong();

    private final List<Contender> contenders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final FaultSource faults;
    private final long seed;
    private final Random random;
    private volatile boolean ended;

    /**
     * Creates a run.
     *
     * @param start starts the process with this number
     */
    FaultRun(FaultSource faults, long seed, IntFunction<Contender> start) {
        this.faults = faults;
        this.seed = seed;
        this.random = new Random(seed);
        for (int i = 0; i < PROCESSES; i++) {
            contenders.add(start.apply(i));
        }
    }

    /** Returns a run with faults of one server, and of the network in front of it. */
    static FaultRun with(TestRedis redis, long seed, BiFunction<String, Integer, Contender> start) {
        ServerFaults faults = new ServerFaults(redis, PROCESSES);
        return new FaultRun(faults, seed, process -> {
            TcpProxy proxy = faults.proxies().get(process);
            return start.apply(proxy.host(), proxy.port());
        });
    }

    /** Runs for the given time, ends all faults, and returns when every thread has ended. */
    List<HistoryEvent> run(Duration length) throws Exception {
        log.info("Fault run with seed {}", seed);
        long end = System.nanoTime() + length.toNanos();
        for (int i = 0; i < PROCESSES * THREADS; i++) {
            String process = "p" + i % PROCESSES;
            Contender contender = contenders.get(i % PROCESSES);
            Random own = new Random(random.nextLong());
            Thread thread = new Thread(() -> work(process, contender, own), process + "-" + i / PROCESSES);
            threads.add(thread);
            thread.start();
        }
        while (System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(faults.pauseMillis()));
            happened.merge(faults.happen(random, threads), 1, Integer::sum);
        }
        ended = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(10));
            if (thread.isAlive()) {
                throw new IllegalStateException(thread + " has not ended, seed " + seed);
            }
        }
        List<HistoryEvent> events = history.events();
        long grants = events.stream()
                .filter(event -> event.kind() == HistoryEvent.Kind.ACQUIRED)
                .count();
        log.info("{} grants, faults {}, waits up to {} too long", grants, happened, latest());
        return events;
    }

    private void work(String process, Contender contender, Random random) {
        while (!ended) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            Duration wait = Duration.ofMillis(Math.max(0, random.nextInt(1500) - 300));
            LeaseKind kind = kind(random);
            long asked = System.nanoTime();
            HeldLock holding = contender.acquire(name, wait, kind);
            latest.accumulateAndGet(System.nanoTime() - asked - wait.toNanos(), Math::max);
            if (holding != null) {
                hold(process, name, holding, kind, random.nextInt(20));
            }
            // an interrupted thread continues
            Thread.interrupted();
        }
    }

    /** Returns by how much the latest request outlasted its wait time. */
    Duration latest() {
        return Duration.ofNanos(latest.get());
    }

    /** Returns how often each fault has happened. */
    Map<String, Integer> happened() {
        return Map.copyOf(happened);
    }

    private static LeaseKind kind(Random random) {
        // many leases are outlived, because only a holder at the end of its lease can be wrong
        int of = random.nextInt(20);
        return of < 4 ? LeaseKind.OUTLIVED : of < 8 ? LeaseKind.LIMITED : LeaseKind.RENEWED;
    }

    private void hold(String process, String name, HeldLock holding, LeaseKind kind, int millis) {
        String request = Long.toString(requests.incrementAndGet());
        HistoryEvent.Kind first = HistoryEvent.Kind.ACQUIRED;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (believes(first, process, name, request, holding)
                    && (kind == LeaseKind.OUTLIVED || System.nanoTime() - end < 0)) {
                first = HistoryEvent.Kind.RENEWED;
                TimeUnit.MILLISECONDS.sleep(2);
            }
            if (kind == LeaseKind.OUTLIVED) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        history.released(process, name, request);
        holding.release();
    }

    /**
     * Records until when the holder relies on the lock, counted from before the question. Returns {@code false} if the
     * lease is over.
     */
    private boolean believes(HistoryEvent.Kind kind, String process, String name, String request, HeldLock holding) {
        long now = System.nanoTime();
        long remaining = holding.remaining().toNanos();
        if (remaining <= 0) {
            return false;
        }
        history.add(new HistoryEvent(now, kind, process, name, request, holding.token(), now + remaining));
        return true;
    }

    @Override
    public void close() {
        ended = true;
        contenders.forEach(Contender::close);
        faults.close();
    }
}
