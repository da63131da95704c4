package dev.baton.lock.benchmarks.comparison.contender;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;

/** Two commands on the connection that the locks share. */
final class LettucePair implements Contender {

    private static final byte[] VALUE = {'1'};
    private static final SetArgs FREE_ONLY = SetArgs.Builder.nx().px(30_000);

    private final RedisCommands<byte[], byte[]> commands;

    LettucePair(Place place) {
        this.commands = place.lettuceCommands();
    }

    @Override
    public Hold acquire(String name) {
        byte[] key = ("bare:" + name).getBytes(StandardCharsets.UTF_8);
        if (commands.set(key, VALUE, FREE_ONLY) == null) {
            throw new IllegalStateException("bare:" + name + " is there");
        }
        return () -> commands.del(key);
    }

    /** As if each thread were alone: a key of its own. */
    @Override
    public Hold acquireShared(String name) {
        return acquire(name + "-" + Thread.currentThread().getName());
    }
}
