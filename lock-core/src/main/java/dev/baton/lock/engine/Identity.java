package dev.baton.lock.engine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Creates ids that no other process has, nor this process at another time, and labels for people.
 */
public final class Identity {

    private static final int INSTANCE_BYTES = 12;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final AtomicLong CALLS = new AtomicLong();

    private final String process;

    public Identity() {
        this.process = host() + ":" + ProcessHandle.current().pid();
    }

    static String newInstance() {
        byte[] bytes = new byte[INSTANCE_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Returns the identity of the calling thread, or of the owner for which the thread asks. The label consists of
     * host, process, and thread or owner: {@code web-3:4711/http-7}.
     *
     * @param owner the owner, or {@code null} for the calling thread
     */
    public CallerIdentity callerIdentity(@Nullable String owner) {
        if (owner != null) {
            return new CallerIdentity("o:" + owner, process + "/" + owner, true);
        }
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        String label = process + "/" + (name.isEmpty() ? "thread-" + thread.getId() : name);
        return new CallerIdentity("t" + thread.getId(), label, false);
    }

    /** Returns the identity of a call of this thread that is an owner of its own. The label names the thread. */
    public CallerIdentity callOfThread() {
        return new CallerIdentity(call().id(), callerIdentity(null).label(), false);
    }

    /** Returns the identity of a call that no thread waits for. Each call is an owner of its own. */
    public CallerIdentity call() {
        String id = "call-" + CALLS.incrementAndGet();
        return new CallerIdentity(id, process + "/" + id, false);
    }

    private static String host() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException ex) {
            return "unknown-host";
        }
    }
}
