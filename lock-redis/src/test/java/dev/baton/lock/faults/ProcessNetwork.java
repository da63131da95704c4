package dev.baton.lock.faults;

import dev.baton.lock.harness.TcpProxy;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The network of one process over Lettuce: a proxy in front of each server that the process connects to. */
final class ProcessNetwork implements AutoCloseable {

    private final Map<Integer, TcpProxy> proxies = new ConcurrentHashMap<>();
    private final ClientResources resources = ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .socketAddressResolver(new Resolver())
            .build();

    /** Lets each connection of a client go through its proxy. */
    private final class Resolver extends SocketAddressResolver {

        @Override
        public SocketAddress resolve(RedisURI uri) {
            TcpProxy proxy = proxies.computeIfAbsent(uri.getPort(), port -> TcpProxy.to(uri.getHost(), port));
            return new InetSocketAddress(proxy.host(), proxy.port());
        }
    }

    /** Returns the resources of a client whose connections go through this network. */
    ClientResources resources() {
        return resources;
    }

    /** Lets a fault happen between the process and all servers, or one of them, and returns when it is over. */
    String happen(Random random) throws InterruptedException {
        List<TcpProxy> all = List.copyOf(proxies.values());
        boolean one = random.nextBoolean() && !all.isEmpty();
        List<TcpProxy> hit = one ? List.of(all.get(random.nextInt(all.size()))) : all;
        String kind = switch (random.nextInt(5)) {
            case 0 -> {
                hit.forEach(TcpProxy::swallow);
                last(random, 2_500);
                yield "PARTITION";
            }
            case 1 -> {
                hit.forEach(TcpProxy::swallowReplies);
                last(random, 800);
                yield "NO_REPLIES";
            }
            case 2 -> {
                hit.forEach(proxy -> proxy.delay(Duration.ofMillis(1 + random.nextInt(200))));
                last(random, 900);
                yield "DELAY";
            }
            case 3 -> {
                hit.forEach(TcpProxy::refuse);
                hit.forEach(TcpProxy::cut);
                last(random, 500);
                yield "REFUSE";
            }
            default -> "CUT";
        };
        hit.forEach(TcpProxy::cut);
        hit.forEach(TcpProxy::forward);
        return one ? kind + "_ONE" : kind;
    }

    private static void last(Random random, int atMost) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(atMost));
    }

    @Override
    public void close() {
        proxies.values().forEach(TcpProxy::close);
        resources.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
