package dev.baton.lock.faults;

import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.CohortMode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A {@link LockProcess}, as the test talks to it. */
final class OtherJvm implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final JavaProcess process;

    private OtherJvm(JavaProcess process) {
        this.process = process;
    }

    /** Starts a JVM whose default lease, which is renewed, has this length; it passes locks on as this one does. */
    static OtherJvm start(TestRedis redis, Duration expire) {
        return new OtherJvm(JavaProcess.start(
                LockProcess.class, redis.host(), "" + redis.port(), "" + expire.toMillis(), "" + CohortMode.limit()));
    }

    OtherJvm awaitReady() {
        event("ready", "-");
        return this;
    }

    /** A request with a lease of its own, or with the default one (zero); waits without a bound. */
    void acquire(String tag, String name, Duration lease) {
        tell("acquire " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** The same, which gives the lock back as soon as it has it. */
    void acquireBriefly(String tag, String name, Duration lease) {
        tell("brief " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** Returns when so many of its requests have their place. */
    void awaitWaiting(int count) {
        AtomicInteger asked = new AtomicInteger();
        Awaitility.await().atMost(BOUND).pollDelay(Duration.ZERO).until(() -> {
            String tag = count + "/" + asked.incrementAndGet();
            tell("waiting " + tag);
            return event("waiting", tag).detail().equals("" + count);
        });
    }

    /** Also a stopped one: it reads when it goes on. */
    void tell(String command) {
        process.println(command);
    }

    /** What it said, or says within a bound. */
    Event event(String what, String tag) {
        String prefix = what + " " + tag + " ";
        return Awaitility.await(prefix)
                .atMost(BOUND)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> process.lines().stream()
                                .filter(line -> line.startsWith(prefix))
                                .findFirst()
                                .map(Event::of)
                                .orElse(Event.NONE),
                        event -> event != Event.NONE);
    }

    void stop() {
        process.pause();
    }

    void goOn() {
        process.resume();
    }

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }

    /** What happened when, with a detail. */
    record Event(long nanos, String detail) {

        static final Event NONE = new Event(0, "");

        private static Event of(String line) {
            String[] word = line.split(" ", 4);
            return new Event(Long.parseLong(word[2]), word[3]);
        }
    }
}
