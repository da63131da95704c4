package dev.baton.lock.faults;

import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Faults of one server, and of the connections between it and single processes. */
final class ServerFaults implements FaultSource {

    private final TestRedis redis;
    private final List<TcpProxy> proxies;
    private int stops;

    /** A fault of one process, or of Redis. */
    private enum Fault {
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

    ServerFaults(TestRedis redis, int processes) {
        this.redis = redis;
        this.proxies =
                IntStream.range(0, processes).mapToObj(i -> TcpProxy.to(redis)).toList();
    }

    /** Returns the proxy of each process. */
    List<TcpProxy> proxies() {
        return proxies;
    }

    @Override
    public String happen(Random random, List<Thread> threads) throws InterruptedException {
        Fault fault = fault(random);
        happen(fault, random, threads);
        return fault.name();
    }

    @Override
    public int pauseMillis() {
        return 150;
    }

    private Fault fault(Random random) {
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        // limited, because a stopped Redis stops every process
        return fault == Fault.STOP_REDIS && ++stops > 2 ? Fault.INTERRUPT : fault;
    }

    private void happen(Fault fault, Random random, List<Thread> threads) throws InterruptedException {
        TcpProxy proxy = proxies.get(random.nextInt(proxies.size()));
        switch (fault) {
            case CUT -> proxy.cut();
            case CUT_SUBSCRIPTION -> proxy.cutSubscribers();
            case REFUSE -> {
                proxy.refuse();
                proxy.cut();
                last(random, 300);
            }
            case SWALLOW -> {
                proxy.swallow();
                last(random, 900);
                proxy.cut();
            }
            case SWALLOW_REPLIES -> {
                proxy.swallowReplies();
                last(random, 400);
                proxy.cut();
            }
            case SWALLOW_MESSAGES -> {
                proxy.swallowMessages();
                last(random, 400);
            }
            case DELAY -> {
                proxy.delay(Duration.ofMillis(1 + random.nextInt(250)));
                last(random, 900);
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

    private static void last(Random random, int atMost) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(atMost));
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }
}
