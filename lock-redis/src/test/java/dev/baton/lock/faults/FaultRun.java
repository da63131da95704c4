package dev.baton.lock.faults;

import dev.baton.lock.faults.Contender.Holding;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three processes of four threads each fight for two locks, each process behind a proxy, while one fault after another
 * happens. What the holders believe is recorded. The seed decides what is tried, not what the threads make of it.
 */
final class FaultRun implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(1);
    static final Duration LIMITED = Duration.ofMillis(300);
    static final Duration RECHECK = Duration.ofMillis(300);
    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(800);

    private static final Logger log = LoggerFactory.getLogger(FaultRun.class);

    private static final int PROCESSES = 3;
    private static final int THREADS = 4;
    private static final List<String> NAMES = List.of("one", "two");

    private final History history = new History();
    private final AtomicLong requests = new AtomicLong();
    private final Map<Fault, Integer> faults = new TreeMap<>();
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<Contender> contenders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final TestRedis redis;
    private final long seed;
    private final Random random;
    private volatile boolean ended;

    /** What happens to one process, or to Redis. */
    enum Fault {
        CUT,
        CUT_SUBSCRIPTION,
        REFUSE,
        SWALLOW,
        SWALLOW_REPLIES,
        SWALLOW_MESSAGES,
        DELAY,
        INTERRUPT,
        FORGET_SCRIPTS,
        STOP_REDIS
    }

    FaultRun(TestRedis redis, long seed, BiFunction<String, Integer, Contender> start) {
        this.redis = redis;
        this.seed = seed;
        this.random = new Random(seed);
        for (int i = 0; i < PROCESSES; i++) {
            TcpProxy proxy = TcpProxy.to(redis);
            proxies.add(proxy);
            contenders.add(start.apply(proxy.host(), proxy.port()));
        }
    }

    /** Runs so long, ends all faults, and returns when every thread has come to its end. */
    List<HistoryEvent> run(Duration length) throws InterruptedException {
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
            TimeUnit.MILLISECONDS.sleep(random.nextInt(150));
            happen(fault());
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
        log.info("{} grants, faults {}", grants, faults);
        return events;
    }

    private Fault fault() {
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        // it stops everybody: a few times are enough
        boolean again = fault == Fault.STOP_REDIS && faults.getOrDefault(fault, 0) >= 2;
        return again ? Fault.INTERRUPT : fault;
    }

    private void happen(Fault fault) throws InterruptedException {
        faults.merge(fault, 1, Integer::sum);
        TcpProxy proxy = proxies.get(random.nextInt(PROCESSES));
        switch (fault) {
            case CUT -> proxy.cut();
            case CUT_SUBSCRIPTION -> proxy.cutSubscribers();
            case REFUSE -> {
                proxy.refuse();
                proxy.cut();
                last(300);
            }
            case SWALLOW -> {
                proxy.swallow();
                last(900);
                proxy.cut();
            }
            case SWALLOW_REPLIES -> {
                proxy.swallowReplies();
                last(400);
                proxy.cut();
            }
            case SWALLOW_MESSAGES -> {
                proxy.swallowMessages();
                last(400);
            }
            case DELAY -> {
                proxy.delay(Duration.ofMillis(1 + random.nextInt(250)));
                last(900);
            }
            case INTERRUPT -> threads.get(random.nextInt(threads.size())).interrupt();
            case FORGET_SCRIPTS -> redis.command("SCRIPT", "FLUSH");
            case STOP_REDIS -> {
                redis.pause();
                TimeUnit.SECONDS.sleep(1);
                redis.resume();
            }
        }
        proxy.forward();
    }

    private void last(int atMost) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(atMost));
    }

    private void work(String process, Contender contender, Random random) {
        while (!ended) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            Duration wait = Duration.ofMillis(Math.max(0, random.nextInt(1500) - 300));
            LeaseKind kind = kind(random);
            Holding holding = contender.acquire(name, wait, kind);
            if (holding != null) {
                hold(process, name, holding, kind, random.nextInt(20));
            }
            // whom an interrupt has hit goes on
            Thread.interrupted();
        }
    }

    private static LeaseKind kind(Random random) {
        // many are outlived: only a belief that lasts to its end can turn out to be wrong
        int of = random.nextInt(20);
        return of < 4 ? LeaseKind.OUTLIVED : of < 8 ? LeaseKind.LIMITED : LeaseKind.RENEWED;
    }

    private void hold(String process, String name, Holding holding, LeaseKind kind, int millis) {
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

    /** Records until when the holder believes that it holds, seen from before it was asked; false: it does not. */
    private boolean believes(HistoryEvent.Kind kind, String process, String name, String request, Holding holding) {
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
        proxies.forEach(TcpProxy::close);
    }
}
