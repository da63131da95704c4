package dev.baton.lock.actuate;

import dev.baton.lock.LockRequest;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Main class of a JVM that acquires a lock of the scope {@code account}, prints {@code held}, and after a line of input
 * acquires a second lock. Arguments: host, port, the keys of both locks.
 */
final class OtherHolder {

    private OtherHolder() {}

    public static void main(String[] args) throws Exception {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(args[0], Integer.parseInt(args[1]));
        factory.afterPropertiesSet();
        factory.start();
        LockTemplate locks =
                LockTemplate.builder(RedisLockStore.builder(factory).build()).build();
        locks.acquire(LockRequest.of("account", args[2]));
        System.out.println("held");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        locks.acquire(LockRequest.of("account", args[3]).waitUnbounded());
        System.out.println("granted");
    }
}
