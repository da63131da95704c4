package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.faults.Contender.HeldLock;
import dev.baton.lock.faults.Contender.LeaseKind;
import dev.baton.lock.harness.History;
import dev.baton.lock.harness.HistoryChecker;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.CohortMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mixed load on three locks, of processes behind proxies and of JVMs that are killed. The seed determines the
 * requests and faults.
 */
final class MixedRun implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MixedRun.class);

    private static final int PROCESSES = 2;
    private static final int THREADS = 4;
    /** The time after a cut in which the subscription may still be missing, so that a waiter may lose its turn. */
    private static final long RECONNECTED = TimeUnit.MILLISECONDS.toNanos(800);

    private final History history = new History();
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<Contender> contenders = new ArrayList<>();
    private final List<MixedWorker> workers = new ArrayList<>();
    private final List<JavaProcess> jvms = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final TestRedis redis;
    private final Random random;
    private final QueueObserver observer;
    private @Nullable Restart restart;

    /**
     * A restart without data.
     *
     * @param down nanoTime before the restart
     * @param up nanoTime when Redis answered again
     * @param mark a time between both on the clock of Redis, in microseconds like its tokens
     * @param until the latest nanoTime until which the holder of a renewed lease relied on the lease
     * @param told nanoTime when this holder had noticed its loss
     */
    record Restart(long down, long up, long mark, long until, long told) {}

    MixedRun(TestRedis redis, long seed, BiFunction<String, Integer, Contender> start) {
        log.info("Mixed run with seed {}", seed);
        this.redis = redis;
        this.random = new Random(seed);
        this.observer = new QueueObserver(redis);
        for (int i = 0; i < PROCESSES; i++) {
            TcpProxy proxy = TcpProxy.to(redis);
            proxies.add(proxy);
            Contender contender = start.apply(proxy.host(), proxy.port());
            contenders.add(contender);
            warmUp(contender);
        }
    }

    /** Acquires a lock a few times, because the first acquisitions are slow. */
    static void warmUp(Contender contender) {
        int done = 0;
        for (int i = 0; done < 3 && i < 30; i++) {
            // a busy machine may pause for longer than a lease
            HeldLock lease = contender.acquire("warm", Duration.ofSeconds(30), LeaseKind.RENEWED);
            if (lease != null) {
                lease.release();
                done++;
            }
        }
        assertThat(done).as("locks before the run").isEqualTo(3);
    }

    /**
     * Starts JVMs over this client, to be killed in {@link #run}. Returns when they are ready.
     *
     * @param earlierClassPath the class path of an earlier build, from which every second JVM runs, or {@code null}
     */
    void startJvms(int count, Client client, @Nullable String earlierClassPath) {
        for (int i = 0; i < count; i++) {
            boolean earlier = earlierClassPath != null && i % 2 == 0;
            jvms.add(JavaProcess.start(
                    earlier ? List.of("-cp", earlierClassPath) : List.of(),
                    MixedProcess.class,
                    redis.host(),
                    "" + redis.port(),
                    "k" + i,
                    "3",
                    "" + random.nextInt(),
                    "" + CohortMode.limit(),
                    client.name()));
        }
        jvms.forEach(jvm -> jvm.awaitLine("ready", Duration.ofSeconds(90)));
    }

    /** Runs all faults within the given time: a restart of Redis without data, and then the death of each JVM. */
    void run(Duration length) throws InterruptedException {
        observer.start();
        startWorkers();
        long part = length.toNanos() / (jvms.size() + 2);
        disturb(part);
        restart();
        disturb(part);
        for (int i = 0; i < jvms.size(); i++) {
            history.died("k" + i);
            jvms.get(i).kill();
            disturb(part);
        }
        endWorkers();
        observer.end();
        for (JavaProcess jvm : jvms) {
            // the last line may be incomplete
            jvm.lines().stream()
                    .filter(line -> line.chars().filter(c -> c == '\t').count() == 6)
                    .map(HistoryEvent::parse)
                    .forEach(history::add);
        }
    }

    /** Causes faults until two threads hold one lock. Returns {@code false} if this never happened. */
    boolean isCaught(Duration within) throws InterruptedException {
        startWorkers();
        boolean caught = false;
        for (long end = System.nanoTime() + within.toNanos(); !caught && System.nanoTime() < end; ) {
            disturb(TimeUnit.MILLISECONDS.toNanos(150));
            caught = !HistoryChecker.overlaps(history.events()).isEmpty();
        }
        endWorkers();
        return caught;
    }

    /** Returns the events of the processes. */
    List<HistoryEvent> events() {
        return history.events();
    }

    /** Returns the snapshots of Redis. */
    List<Snapshot> snapshots() {
        return observer.snapshots();
    }

    /** Returns the periods in which a process could not reach Redis, or receive messages. */
    List<Fault> faults() {
        return List.copyOf(faults);
    }

    /** Returns the restart in which Redis lost all data. */
    Restart lostData() {
        return Objects.requireNonNull(restart, "not run");
    }

    private void startWorkers() {
        for (int i = 0; i < PROCESSES * THREADS; i++) {
            int process = i % PROCESSES;
            MixedWorker worker = new MixedWorker(
                    "p" + process, i / PROCESSES, contenders.get(process), random.nextLong(), history::add);
            workers.add(worker);
            worker.start();
        }
    }

    private void endWorkers() throws InterruptedException {
        workers.forEach(MixedWorker::end);
        for (MixedWorker worker : workers) {
            worker.join(TimeUnit.SECONDS.toMillis(10));
            if (worker.isAlive()) {
                throw new IllegalStateException(worker + " has not ended");
            }
        }
    }

    private void disturb(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(120));
            int process = random.nextInt(PROCESSES);
            switch (random.nextInt(8)) {
                case 0 -> cut(process, proxies.get(process)::cut);
                case 1 -> cut(process, proxies.get(process)::cutSubscribers);
                case 2 -> redis.command("SCRIPT", "FLUSH");
                default -> workers.get(random.nextInt(workers.size())).interrupt();
            }
        }
    }

    private void cut(int process, Runnable cut) {
        long from = System.nanoTime();
        cut.run();
        faults.add(new Fault("p" + process, from, System.nanoTime() + RECONNECTED));
    }

    /**
     * Restarts Redis while a thread holds a lock without competitors, and records how long the thread relies on the
     * lock.
     */
    private void restart() throws InterruptedException {
        HeldLock held = null;
        for (int i = 0; held == null && i < 5; i++) {
            held = contenders.get(0).acquire("held", Duration.ofSeconds(10), LeaseKind.RENEWED);
        }
        Objects.requireNonNull(held, "a lock without competitors");
        long down = System.nanoTime();
        redis.stop();
        long mark = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        redis.restart();
        long up = System.nanoTime();
        faults.add(new Fault("", down, up + RECONNECTED));
        long until = down;
        for (long now = System.nanoTime(), left = held.remaining().toNanos(); left > 0; ) {
            until = Math.max(until, now + left);
            TimeUnit.MILLISECONDS.sleep(1);
            now = System.nanoTime();
            left = held.remaining().toNanos();
        }
        restart = new Restart(down, up, mark, until, System.nanoTime());
        held.release();
    }

    @Override
    public void close() {
        observer.end();
        workers.forEach(MixedWorker::end);
        jvms.forEach(JavaProcess::close);
        contenders.forEach(Contender::close);
        proxies.forEach(TcpProxy::close);
    }
}
