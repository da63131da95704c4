package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.EngineCounters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Main class of another JVM with one engine. Arguments: host, port, milliseconds of the default lease, maximum
 * number of local passes of a lock. Executes the commands on its standard input, one per line. Reports
 * events on standard output, each with {@code System.nanoTime()}, the monotonic clock of the
 * machine:
 *
 * <pre>
 *   acquire TAG NAME LEASE WAIT   asked TAG nanos; granted TAG nanos token, or failed TAG nanos exception; lost TAG nanos
 *                                 (milliseconds; lease 0: the default one, renewed; wait -1: unbounded)
 *   read TAG NAME LEASE WAIT      the same in shared mode
 *   take TAG NAME LEASE WAIT      the same with two of three permits
 *   await TAG NAME LEASE WAIT     as acquire, and awaits a condition: woken TAG nanos token
 *   brief TAG NAME LEASE WAIT     as acquire, and closes it at once
 *   waiting TAG                   waiting TAG nanos number of requests in the queue
 *   held TAG                      held TAG nanos true, false
 *   close TAG                     closed TAG nanos ok, exception
 * </pre>
 */
final class LockProcess {

    static final String CONDITION = "changed";

    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final Engine engine;

    private LockProcess(Engine engine) {
        this.engine = engine;
    }

    public static void main(String[] args) throws IOException {
        Duration expire = Duration.ofMillis(Long.parseLong(args[2]));
        int passes = Integer.parseInt(args[3]);
        Engine engine = Engine.start(
                args[0],
                Integer.parseInt(args[1]),
                builder -> builder.expire(expire).cohortLimit(passes).cohortMaxTime(Duration.ofMinutes(1)));
        LockProcess process = new LockProcess(engine);
        process.say("ready", "-", "");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            process.obey(line.split(" "));
        }
    }

    private void obey(String[] word) {
        String tag = word[1];
        switch (word[0]) {
            case "acquire", "read", "take", "await", "brief" -> acquire(tag, word);
            case "waiting" -> say("waiting", tag, EngineCounters.placed(engine.locks()));
            case "held" -> say("held", tag, lease(tag).isHeld());
            case "close" -> say("closed", tag, outcome(lease(tag)));
            default -> throw new IllegalArgumentException("Unknown command " + word[0]);
        }
    }

    private void acquire(String tag, String[] word) {
        long leaseMillis = Long.parseLong(word[3]);
        long waitMillis = Long.parseLong(word[4]);
        LockRequest plain = LockRequest.of(word[2]);
        LockRequest named = switch (word[0]) {
            case "read" -> plain.mode(LockMode.SHARED);
            case "take" -> plain.permits(new LockPermits(3, 2));
            default -> plain;
        };
        LockRequest lease = leaseMillis == 0 ? named : named.expire(Duration.ofMillis(leaseMillis));
        LockRequest request = waitMillis < 0 ? lease.waitUnbounded() : lease.waitTime(Duration.ofMillis(waitMillis));
        new Thread(
                        () -> {
                            acquire(tag, request);
                            if (word[0].equals("brief")) {
                                say("closed", tag, outcome(lease(tag)));
                            } else if (word[0].equals("await")) {
                                Lease back = lease(tag).condition(CONDITION).awaitUninterruptibly();
                                say("woken", tag, back.fencingToken());
                            }
                        },
                        tag)
                .start();
    }

    private void acquire(String tag, LockRequest request) {
        say("asked", tag, "");
        try {
            Lease lease = engine.locks().acquire(request);
            lease.onLost(() -> say("lost", tag, ""));
            leases.put(tag, lease);
            say("granted", tag, lease.fencingToken());
        } catch (LockException ex) {
            say("failed", tag, ex.getClass().getSimpleName());
        }
    }

    private Lease lease(String tag) {
        return Objects.requireNonNull(leases.get(tag), tag);
    }

    private static String outcome(Lease lease) {
        try {
            lease.close();
            return "ok";
        } catch (LockException ex) {
            return ex.getClass().getSimpleName();
        }
    }

    private void say(String what, String tag, Object detail) {
        System.out.println(what + " " + tag + " " + System.nanoTime() + " " + detail);
    }
}
