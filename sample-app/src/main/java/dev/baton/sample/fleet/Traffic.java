package dev.baton.sample.fleet;

import dev.baton.lock.LockException;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockTimeoutException;
import dev.baton.sample.members.MembersProperties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Deploys to and reboots servers of the fleet by chance, at a bounded rate, from when the application is up until it stops. */
@Component
class Traffic {

    private static final Logger log = LoggerFactory.getLogger(Traffic.class);

    /** The share of deployments; the rest are reboots. */
    private static final double DEPLOYMENTS = 0.7;

    private final TrafficProperties properties;
    private final double rate;
    private final DeployService deployService;
    private final RebootService rebootService;
    private final Semaphore free;
    private final AtomicInteger names = new AtomicInteger();
    private final AtomicLong deployed = new AtomicLong();
    private final AtomicLong rebooted = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong timedOut = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong leftOut = new AtomicLong();
    private final ScheduledExecutorService clock;

    Traffic(
            TrafficProperties properties,
            MembersProperties members,
            DeployService deployService,
            RebootService rebootService) {
        this.properties = properties;
        this.rate = properties.rate(members.several());
        this.deployService = deployService;
        this.rebootService = rebootService;
        this.free = new Semaphore(properties.atATime());
        this.clock = Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "traffic"));
    }

    @EventListener(ApplicationReadyEvent.class)
    void start() {
        if (rate > 0) {
            long nanos = (long) (1e9 / rate);
            clock.scheduleAtFixedRate(this::begin, nanos, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Begins no more acts. Those under way come to their end. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        clock.shutdownNow();
    }

    private void begin() {
        if (!free.tryAcquire()) {
            leftOut.incrementAndGet();
            return;
        }
        daemon(this::act, "traffic-" + names.incrementAndGet()).start();
    }

    private void act() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String server = "server-" + (1 + random.nextInt(properties.servers()));
        try {
            if (random.nextDouble() < DEPLOYMENTS) {
                deployService.deploy(server, "1." + random.nextInt(100));
                deployed.incrementAndGet();
            } else {
                boolean done = rebootService.reboot(server) instanceof LockResult.Executed;
                (done ? rebooted : busy).incrementAndGet();
            }
        } catch (LockTimeoutException ex) {
            timedOut.incrementAndGet();
        } catch (LockException | IllegalStateException ex) {
            failed.incrementAndGet();
            log.debug("an act on {} failed", server, ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            free.release();
        }
    }

    Counts counts() {
        return new Counts(
                rate, deployed.get(), rebooted.get(), busy.get(), timedOut.get(), failed.get(), leftOut.get());
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Since the start.
     *
     * @param busy reboots that were not done because the server was locked
     * @param timedOut deployments whose wait time was over
     * @param failed because of Redis, or because the server refused
     * @param leftOut because too many were under way
     */
    record Counts(
            double perSecond, long deployed, long rebooted, long busy, long timedOut, long failed, long leftOut) {}
}
