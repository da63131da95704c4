package dev.baton.lock.board;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Main class of a JVM that acquires a lock for each line of input, {@code SCOPE KEY SECONDS}, as the owner SCOPE.
 * Prints {@code held NAME}, and {@code lost NAME} when the lease is lost. Arguments: host, port.
 */
final class ContendingHolder {

    private ContendingHolder() {}

    public static void main(String[] args) throws Exception {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(args[0], Integer.parseInt(args[1]));
        factory.afterPropertiesSet();
        factory.start();
        LockTemplate locks =
                LockTemplate.builder(RedisLockStore.builder(factory).build()).build();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            LockRequest request = LockRequest.of(words[0], words[1]);
            if (words.length > 2) {
                request = request.expire(Duration.ofSeconds(Long.parseLong(words[2])));
            }
            String name = request.name();
            locks.acquireAsync(request.owner(words[0]).waitUnbounded()).thenAccept(lease -> held(lease, name));
        }
    }

    private static void held(Lease lease, String name) {
        System.out.println("held " + name);
        lease.onLost(() -> System.out.println("lost " + name));
    }
}
