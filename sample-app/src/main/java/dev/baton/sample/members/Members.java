package dev.baton.sample.members;

import dev.baton.sample.embedded.EmbeddedRedis;
import dev.baton.sample.launch.JavaCommand;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** The instances. The first one starts the others once it is up itself, and ends them when it ends. */
@Component
class Members implements DisposableBean {

    /** Small, and no time for the second compiler. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    private static final int LAST_PORT = 65535;
    /** Systems choose the ports of outgoing connections above this range. */
    private static final int QUIET_PORTS_FROM = 10_000;

    private static final int QUIET_PORTS_TO = 30_000;

    private final MembersProperties properties;
    private final Environment environment;
    private final ApplicationArguments arguments;
    private final ObjectProvider<EmbeddedRedis> redis;
    private final List<MemberProcess> processes = new ArrayList<>();
    private volatile List<Integer> ports = List.of();

    Members(
            MembersProperties properties,
            Environment environment,
            ApplicationArguments arguments,
            ObjectProvider<EmbeddedRedis> redis) {
        this.properties = properties;
        this.environment = environment;
        this.arguments = arguments;
        this.redis = redis;
    }

    /** Their ports by their number; empty until this instance is up. */
    List<Integer> ports() {
        return ports;
    }

    @EventListener(ApplicationReadyEvent.class)
    void start() throws IOException {
        if (!properties.ports().isEmpty()) {
            ports = List.copyOf(properties.ports());
            return;
        }
        List<Integer> chosen = new ArrayList<>();
        chosen.add(environment.getRequiredProperty("local.server.port", Integer.class));
        int next = chosen.get(0) + 1;
        if ("0".equals(environment.getProperty("server.port"))) {
            // the system chose the first port, so any connection may take the ports beside it before an instance is up
            next = ThreadLocalRandom.current().nextInt(QUIET_PORTS_FROM, QUIET_PORTS_TO);
        }
        while (chosen.size() < properties.size()) {
            chosen.add(freePort(next));
            next = chosen.get(chosen.size() - 1) + 1;
        }
        ports = List.copyOf(chosen);
        for (int number = 2; number <= properties.size(); number++) {
            processes.add(MemberProcess.start(number, JavaCommand.of(JVM_OPTIONS, args(number))));
        }
    }

    /** Returns the arguments of this process, with those that differ for the other instance. */
    private List<String> args(int number) {
        List<String> args = Arrays.stream(arguments.getSourceArgs())
                .filter(arg -> !arg.startsWith("--server.port=") && !arg.startsWith("--fleet.members."))
                .collect(Collectors.toCollection(ArrayList::new));
        args.add("--server.port=" + ports.get(number - 1));
        args.add("--fleet.members.size=" + properties.size());
        args.add("--" + Member.OPTION + "=" + number);
        args.add("--fleet.members.ports=" + ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
        redis.ifAvailable(embedded -> {
            args.add("--spring.data.redis.host=" + embedded.host());
            args.add("--spring.data.redis.port=" + embedded.port());
            args.add("--" + Member.EMBEDDED_REDIS);
        });
        return args;
    }

    /** Another process may take it before the instance does, which then says so and is shown as down. */
    private static int freePort(int from) throws IOException {
        for (int port = from; port <= LAST_PORT; port++) {
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException ex) {
                if (port == LAST_PORT) {
                    throw new IOException("no free port for another instance from " + from + " to " + LAST_PORT, ex);
                }
            }
        }
        throw new IOException("no port above " + LAST_PORT + "; start with a smaller --server.port");
    }

    /** All are told first, so that they end at the same time. */
    @Override
    public void destroy() {
        processes.forEach(MemberProcess::end);
        processes.forEach(MemberProcess::close);
    }
}
