package dev.baton.lock.faults;

import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.CohortMode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Sends commands to a {@link LockProcess}, and reads its events. */
final class OtherJvm implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final JavaProcess process;

    private OtherJvm(JavaProcess process) {
        this.process = process;
    }

    /** Starts a JVM with a renewed default lease of this length, and the cohort limit of this JVM. */
    static OtherJvm start(TestRedis redis, Duration expire) {
        return new OtherJvm(JavaProcess.start(
                LockProcess.class, redis.host(), "" + redis.port(), "" + expire.toMillis(), "" + CohortMode.limit()));
    }

    OtherJvm awaitReady() {
        event("ready", "-");
        return this;
    }

    /** Acquires with a lease of its own, or with the default lease if zero. Waits without a bound. */
    void acquire(String tag, String name, Duration lease) {
        tell("acquire " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** Acquires in the same way, in shared mode. */
    void read(String tag, String name, Duration lease) {
        tell("read " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** Acquires two of three permits in the same way. */
    void take(String tag, String name, Duration lease) {
        tell("take " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** Acquires as {@link #acquire}, and awaits the condition {@value LockProcess#CONDITION}. */
    void await(String tag, String name, Duration lease) {
        tell("await " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** Acquires as {@link #acquire}, and releases the lock as soon as it is granted. */
    void acquireBriefly(String tag, String name, Duration lease) {
        tell("brief " + tag + " " + name + " " + lease.toMillis() + " -1");
    }

    /** Returns when the given number of requests is in the queue. */
    void awaitWaiting(int count) {
        AtomicInteger asked = new AtomicInteger();
        Awaitility.await().atMost(BOUND).pollDelay(Duration.ZERO).until(() -> {
            String tag = count + "/" + asked.incrementAndGet();
            tell("waiting " + tag);
            return event("waiting", tag).detail().equals("" + count);
        });
    }

    /** Sends a command. A paused process reads the command when it resumes. */
    void tell(String command) {
        process.println(command);
    }

    /** Returns an event, which must arrive within a bound. */
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

    /** An event with its time and a detail. */
    record Event(long nanos, String detail) {

        static final Event NONE = new Event(0, "");

        private static Event of(String line) {
            String[] word = line.split(" ", 4);
            return new Event(Long.parseLong(word[2]), word[3]);
        }
    }
}
