package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import dev.baton.lock.test.StoreHost;
import dev.baton.lock.test.StoreProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Keeps locks on a Redis of its own. */
public final class RedisStoreHost implements StoreHost {

    static final String DEAF = "deaf";
    static final String SENTINEL = "sentinel:1";

    /** Moves all stored times back. Tokens stay as they are: they never decrease. */
    static final String AGE = """
            local micros = tonumber(ARGV[1])
            local function earlier(time)
              return string.format('%.0f', time - micros)
            end
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local kind = redis.call('TYPE', key).ok
              if kind == 'zset' then
                local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
                for i = 1, #all, 2 do
                  -- the ends of readers and of sizes are milliseconds
                  local ends = string.find(key, ':readers:', 1, true) or string.find(key, ':size:', 1, true)
                  redis.call('ZADD', key, ends and all[i + 1] - micros / 1000 or earlier(all[i + 1]), all[i])
                end
              elseif kind == 'hash' and not string.find(key, ':reader:', 1, true) then
                local all = redis.call('HGETALL', key)
                for i = 1, #all, 2 do
                  local first, second, third, rest = string.match(all[i + 1], '^(%d+) (%d+) (%d+)(.*)$')
                  if all[i] == 'run' then
                    second = earlier(second)
                  else
                    third = earlier(third)
                  end
                  redis.call('HSET', key, all[i], earlier(first) .. ' ' .. second .. ' ' .. third .. rest)
                end
              end
              local left = redis.call('PTTL', key)
              if left >= 0 then
                redis.call('PEXPIRE', key, left - micros / 1000)
              end
            end
            """;

    private final List<Runnable> ends = new ArrayList<>();
    private final Backend backend;
    private final LockHandler handler;
    private final TestRedis redis;
    private final RespConnection control;

    public RedisStoreHost(Backend backend) {
        this(backend, LockHandler.AUTO);
    }

    RedisStoreHost(Backend backend, LockHandler handler) {
        this.backend = backend;
        this.handler = handler;
        this.redis = backend.startRedis();
        this.control = redis.connect();
        if (handler == LockHandler.TRANSACTION) {
            Backend.allow(
                    redis,
                    Stream.of(DocumentedCommands.ofTransactions(), DocumentedCommands.others())
                            .flatMap(List::stream)
                            .toList());
        }
        redis.command("ACL", "SETUSER", DEAF, "on", ">" + DEAF, "~*", "&*", "+@all", "-subscribe");
    }

    @Override
    public LockStore newStore() {
        return store(backend.connect(redis.host(), redis.port()));
    }

    @Override
    public LockStore newDeafStore() {
        return store(backend.connect(redis.host(), redis.port(), DEAF));
    }

    private LockStore store(Connections connections) {
        ends.add(connections.end());
        return RedisLockStore.builder(connections.factory()).handler(handler).build();
    }

    @Override
    public void awaitStart(StoreProcess process, boolean hears) {
        if (hears) {
            Awaitility.await().pollInterval(Duration.ofMillis(2)).until(process.store()::isListening);
        }
    }

    @Override
    public void pass(Duration duration) {
        long until = micros() + duration.toNanos() / 1_000;
        while (micros() <= until) {
            LockSupport.parkNanos(500_000);
        }
    }

    @Override
    public void age(Duration duration) {
        control.command("EVAL", AGE, "0", Long.toString(duration.toNanos() / 1_000));
    }

    /** Sends a command as an operator, and returns its reply. */
    public @Nullable Object command(String... words) {
        return control.command(words);
    }

    private long micros() {
        List<?> time = (List<?>) control.command("TIME");
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    @Override
    public void expire(LockName name) {
        control.command(expiring(name));
    }

    /** Returns the command that deletes a lock. The keys of its readers expire with it. */
    static String[] expiring(LockName name) {
        String key = new RedisKeys("lock").lock(name);
        String tag = key.substring("lock:lock".length());
        return new String[] {"DEL", key, "lock:readers" + tag, "lock:reader" + tag};
    }

    /** A message to an inbox follows all messages published before. */
    @Override
    public void settle(StoreProcess process) {
        if (!process.store().isListening()) {
            return;
        }
        control.command("PUBLISH", InboxChannel.of(process.instance()), "grant 1 " + SENTINEL + " 1 lock:lock:{x.1}");
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!process.told().removeIf(told -> told.id().equals(SENTINEL))) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError(process.instance() + " receives no message");
            }
            LockSupport.parkNanos(20_000);
        }
    }

    @Override
    public void clear() {
        control.command("FLUSHALL");
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
        control.close();
        redis.close();
    }

    @Override
    public String toString() {
        return backend.toString();
    }
}
