package dev.baton.lock.support;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Who we are: an id that no other process, nor this one at another time, has; and a label for people. */
final class Identity {

    private static final int INSTANCE_BYTES = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String process;

    Identity() {
        this.process = host() + ":" + ProcessHandle.current().pid();
    }

    static String newInstance() {
        byte[] bytes = new byte[INSTANCE_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Host, process and thread: {@code web-3:4711/http-7}. */
    String label(Thread thread) {
        String name = thread.getName();
        return process + "/" + (name.isEmpty() ? "thread-" + thread.getId() : name);
    }

    static String owner(String instance, Thread thread) {
        return instance + ":t" + thread.getId();
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
