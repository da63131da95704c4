package dev.baton.lock.benchmarks.comparison.contender;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;

/** The bare pair by script: all that a script costs which only takes a lock and gives back its own. No token, no waiting. */
final class ScriptPair implements Contender {

    private static final byte[] ID = "4f1d9c0a7be3:1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LEASE = "30000".getBytes(StandardCharsets.UTF_8);

    private final RedisCommands<byte[], byte[]> commands;
    private final String take;
    private final String giveBack;

    ScriptPair(Place place) {
        this.commands = place.lettuceCommands();
        this.take = load("return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])");
        this.giveBack =
                load("if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0");
    }

    private String load(String script) {
        return commands.scriptLoad(script.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Hold acquire(String name) {
        byte[][] keys = {("script:" + name).getBytes(StandardCharsets.UTF_8)};
        if (commands.evalsha(take, ScriptOutputType.STATUS, keys, ID, LEASE) == null) {
            throw new IllegalStateException("script:" + name + " is there");
        }
        return () -> commands.evalsha(giveBack, ScriptOutputType.INTEGER, keys, ID);
    }
}
