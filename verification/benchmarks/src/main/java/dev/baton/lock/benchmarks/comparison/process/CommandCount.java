package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the commands that clients send, and none that a script calls: by {@code MONITOR}, which slows down every client,
 * so that nothing else is measured meanwhile. Nor is {@code PING} counted: libraries send it now and then on each connection of
 * their pools, of which others than the one measured have hundreds.
 */
public final class CommandCount implements AutoCloseable {

    // 1339518083.107412 [0 127.0.0.1:60866] "keys" "*", or [0 lua] instead of the address
    private static final Pattern SENT = Pattern.compile("^\\S+ \\[\\d+ \\S*:(\\d+)] \"(?!(?i:PING)\")");

    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    private final TestRedis redis;
    private final RespConnection monitor;
    private final String end = UUID.randomUUID().toString();
    private final LongAdder counted = new LongAdder();
    private final CompletableFuture<Long> all = new CompletableFuture<>();

    private CommandCount(TestRedis redis) {
        this.redis = redis;
        this.monitor = redis.connect();
        monitor.command("MONITOR");
        Thread reader = new Thread(this::read, "commands");
        reader.setDaemon(true);
        reader.start();
    }

    /** Begins to count. */
    public static CommandCount start(TestRedis redis) {
        return new CommandCount(redis);
    }

    /** Those of which it has been told so far: a moment late. */
    public long soFar() {
        return counted.sum();
    }

    /** How many there were from the start until now. */
    public long total() {
        redis.command("ECHO", end);
        try {
            return all.get(2, TimeUnit.MINUTES);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while counting", ex);
        } catch (ExecutionException | TimeoutException ex) {
            throw new IllegalStateException("MONITOR did not tell of everything", ex);
        }
    }

    private void read() {
        try {
            String line = String.valueOf(monitor.read(LONGEST_SILENCE));
            while (!line.contains(end)) {
                Matcher sent = SENT.matcher(line);
                if (sent.find() && !redis.isOwn(Integer.parseInt(sent.group(1)))) {
                    counted.increment();
                }
                line = String.valueOf(monitor.read(LONGEST_SILENCE));
            }
            all.complete(counted.sum());
        } catch (RuntimeException ex) {
            all.completeExceptionally(ex);
        }
    }

    @Override
    public void close() {
        monitor.close();
    }
}
