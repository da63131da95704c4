package dev.baton.sample.members;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An instance that the first one has started. It ends with the first, however that ends: its standard input is a pipe from
 * there, and a pipe is closed with the process that holds it.
 */
public final class Member {

    /** {@code --fleet.members.number=2}. */
    public static final String OPTION = "fleet.members.number";

    /** The Redis was started by the first instance, and is to end with it. */
    public static final String EMBEDDED_REDIS = "fleet.members.embedded-redis";

    /** The line that the first instance sends when it ends in good order, and ends its Redis itself. */
    static final String END = "END";

    /** So long the end may take: work under a lock is finished, and its lock is given back. */
    private static final long END_MILLIS = 12_000;

    private final ApplicationArguments arguments;
    private final AtomicReference<ConfigurableApplicationContext> context = new AtomicReference<>();

    private Member(ApplicationArguments arguments) {
        this.arguments = arguments;
    }

    /** Starts the application, and watches the first instance from now on. */
    public static void run(Function<String[], ConfigurableApplicationContext> application, String... args) {
        Member member = new Member(new DefaultApplicationArguments(args));
        daemon("first-instance", member::endWithFirst);
        member.context.set(application.apply(args));
    }

    private void endWithFirst() {
        boolean told = awaitEnd();
        daemon("end", Member::haltAfterAWhile);
        ConfigurableApplicationContext running = context.get();
        if (running != null) {
            running.close();
        }
        if (!told) {
            endRedis();
        }
        Runtime.getRuntime().halt(told ? 0 : 1);
    }

    /** Returns whether the first instance ends in good order; false: it was killed. */
    private static boolean awaitEnd() {
        try (BufferedReader first = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = first.readLine(); line != null; line = first.readLine()) {
                if (line.equals(END)) {
                    return true;
                }
            }
        } catch (IOException ex) {
            System.out.println("the connection to the first instance was lost: " + ex);
        }
        return false;
    }

    private static void haltAfterAWhile() {
        try {
            Thread.sleep(END_MILLIS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }

    /** A process that is killed cannot end the Redis that it has started. */
    private void endRedis() {
        if (!arguments.containsOption(EMBEDDED_REDIS)) {
            return;
        }
        String host = Objects.requireNonNull(arguments.getOptionValues("spring.data.redis.host"))
                .get(0);
        int port = Integer.parseInt(Objects.requireNonNull(arguments.getOptionValues("spring.data.redis.port"))
                .get(0));
        try (Socket socket = new Socket(host, port)) {
            socket.getOutputStream().write("SHUTDOWN NOSAVE\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(1000);
            int answer = socket.getInputStream().read(); // none: the connection is closed
            if (answer >= 0) {
                System.out.println("the Redis of the first instance refused to end");
            }
        } catch (IOException ex) {
            System.out.println("the Redis of the first instance has already ended: " + ex.getMessage());
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
