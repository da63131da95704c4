package dev.baton.lock.redis.transaction;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHolder;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.Tokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one attempt to change a lock: watches, reads, collects the writes, and commits. Reads and writes the same state
 * as the scripts. Unlike a script, an attempt fails if another process has changed the lock by its end; then nothing
 * was done.
 *
 * <p>Reads the highest token before the lock. A process that learns that the lock is busy considers a grant without a
 * greater token overtaken.
 */
final class LockTransaction {

    /**
     * The content of the lock key.
     *
     * @param since when the lock was granted, in microseconds of Redis's clock
     * @param leftMillis the remaining lease time in milliseconds, or negative if the lease has no end
     */
    record Held(String mode, String id, long token, String owner, String label, long since, long leftMillis) {

        boolean isBy(String request) {
            return mode.equals("x") && id.equals(request);
        }

        LockHolder holder(long now) {
            return new LockHolder(
                    label,
                    owner,
                    token,
                    Duration.ofMillis(Math.max(0, (now - since) / 1000)),
                    leftMillis < 0 ? LockDurations.LONGEST_EXPIRE : Duration.ofMillis(leftMillis));
        }
    }

    final String lock;
    final String queue;
    final String wait;
    /** Redis's clock, in microseconds. */
    final long now;

    private final TransactionConnection redis;
    private final String fence;
    private final List<List<String>> writes = new ArrayList<>();

    private long mark;
    private @Nullable Held held;

    /**
     * Begins an attempt.
     *
     * @param others further keys that must not change
     */
    LockTransaction(TransactionConnection redis, RedisKeys keys, LockName name, List<String> others) {
        this.redis = redis;
        this.lock = keys.lock(name);
        this.queue = keys.queue(name);
        this.wait = keys.waiting(name);
        this.fence = keys.fence();
        List<String> watch = new ArrayList<>(List.of("WATCH", lock, queue));
        watch.addAll(others);
        List<@Nullable Object> read = redis.ask(List.of(
                watch,
                List.of("GET", fence),
                List.of("TIME"),
                List.of("PTTL", lock),
                List.of("HMGET", lock, "mode", "id", "token", "owner", "label", "since")));
        List<?> time = list(read.get(2));
        this.mark = number(read.get(1));
        this.now = number(time.get(0)) * 1_000_000 + number(time.get(1));
        this.held = number(read.get(3)) == -2 ? null : held(list(read.get(4)), number(read.get(3)));
    }

    private static Held held(List<?> field, long left) {
        return new Held(
                text(field.get(0)),
                text(field.get(1)),
                number(field.get(2)),
                text(field.get(3)),
                text(field.get(4)),
                number(field.get(5)),
                left);
    }

    /** Returns the holder, as this attempt will leave it, or {@code null} if there is none. */
    @Nullable
    Held held() {
        return held;
    }

    /** Marks the lock as free for the rest of this attempt. */
    void free() {
        held = null;
    }

    /** Returns the highest token, as this attempt will leave it. */
    long mark() {
        return mark;
    }

    @Nullable
    Object ask(String... command) {
        return redis.ask(List.of(List.of(command))).get(0);
    }

    List<@Nullable Object> askAll(List<List<String>> commands) {
        return commands.isEmpty() ? List.of() : redis.ask(commands);
    }

    void write(String... command) {
        writes.add(List.of(command));
    }

    /**
     * Returns the next token, which no other client can take meanwhile.
     *
     * @param reserve the number of tokens after it that are given to no other process
     */
    long nextToken(long reserve) {
        List<@Nullable Object> read = redis.ask(List.of(List.of("WATCH", fence), List.of("GET", fence)));
        return Tokens.next(number(read.get(1)), now, reserve);
    }

    /**
     * Writes a grant.
     *
     * @param reserve the number of tokens after its own that are given to no other process, if its token reserves any
     */
    void take(String id, String owner, String label, long leaseMillis, long reserve, long token) {
        mark = token + Tokens.kept(token, reserve);
        write("SET", fence, Long.toString(mark));
        write(
                "HSET",
                lock,
                "mode",
                "x",
                "id",
                id,
                "token",
                Long.toString(token),
                "owner",
                owner,
                "label",
                label,
                "since",
                Long.toString(now));
        write("PEXPIRE", lock, Long.toString(leaseMillis));
        held = new Held("x", id, token, owner, label, now, leaseMillis);
    }

    /** Writes a grant to a waiter, and notifies the waiter unless it asks again on its own. */
    void handOver(String id, WaiterRecord waiter) {
        long token = nextToken(waiter.reserve());
        if (!waiter.polls(now)) {
            write("PUBLISH", waiter.inbox(), "grant 1 " + id + " " + token + " " + lock);
        }
        take(id, waiter.owner(), waiter.label(), waiter.leaseMillis(), waiter.reserve(), token);
    }

    /**
     * Removes these requests from the queue.
     *
     * @param joined the number of requests that this attempt adds to the queue
     */
    void remove(Collection<String> ids, int joined) {
        if (ids.isEmpty()) {
            return;
        }
        List<String> leave = new ArrayList<>(List.of("ZREM", queue));
        leave.addAll(ids);
        List<String> forget = new ArrayList<>(List.of("HDEL", wait));
        forget.addAll(ids);
        writes.add(leave);
        long left = number(ask("ZCARD", queue)) + joined - ids.size();
        writes.add(left > 0 ? forget : List.of("DEL", wait));
    }

    /** Commits the writes. Returns {@code false} if a watched key has changed and nothing was done. */
    boolean commit() {
        if (writes.isEmpty()) {
            ask("UNWATCH");
            return true;
        }
        return redis.commit(writes);
    }

    static List<?> list(@Nullable Object reply) {
        return reply instanceof List<?> list ? list : List.of();
    }

    /** Returns the number in a reply, which may be a text, or 0 if there is no reply. */
    static long number(@Nullable Object reply) {
        if (reply instanceof Number number) {
            return number.longValue();
        }
        return reply == null ? 0 : (long) Double.parseDouble(reply.toString());
    }

    private static String text(@Nullable Object reply) {
        return reply == null ? "" : reply.toString();
    }
}
