package dev.baton.lock.redis.transaction;

import dev.baton.lock.LockHolder;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.Tokens;
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
     * The lock as it is held.
     *
     * @param text the text of the lock
     * @param leftMillis the remaining lease time in milliseconds, or negative if the lease has no end
     */
    record Held(String text, StoredTexts.Lock lock, long leftMillis) {

        boolean isBy(String request) {
            return lock.isBy(request);
        }

        LockHolder holder(long now) {
            return lock.holder(now, leftMillis);
        }

        /** Returns the text of the same lock after its request has ended. All else stays as it was written. */
        String withoutRequest() {
            return StoredTexts.head("")
                    + text.substring(StoredTexts.head(lock.id()).length());
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
        List<@Nullable Object> read = readAll(watch);
        List<?> time = list(read.get(2));
        this.mark = number(read.get(1));
        this.now = number(time.get(0)) * 1_000_000 + number(time.get(1));
        this.held = held(read.get(3), number(read.get(4)));
    }

    private List<@Nullable Object> readAll(List<String> watch) {
        try {
            return redis.ask(List.of(
                    watch, List.of("GET", fence), List.of("TIME"), List.of("GET", lock), List.of("PTTL", lock)));
        } catch (TransactionConnection.RefusedException ex) {
            if (isHash()) {
                throw StoredTexts.otherFormat("1");
            }
            throw ex;
        }
    }

    /** Returns whether the lock has another type: the first format kept a lock in a hash. */
    private boolean isHash() {
        try {
            redis.ask(List.of(List.of("GET", lock)));
            return false;
        } catch (TransactionConnection.RefusedException ex) {
            return String.valueOf(ex.getMessage()).contains("WRONGTYPE");
        }
    }

    private static @Nullable Held held(@Nullable Object text, long left) {
        // the lease may have ended between the two answers
        return text == null || left == -2 ? null : new Held(text.toString(), StoredTexts.lock(text.toString()), left);
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
        String text = StoredTexts.lock(id, token, now, owner, label);
        write("SET", lock, text, "PX", Long.toString(leaseMillis));
        held = new Held(text, StoredTexts.lock(text), leaseMillis);
    }

    /**
     * Writes a grant to a waiter, and notifies the waiter unless it asks again on its own. Returns the id of its
     * request.
     */
    String handOver(StoredTexts.Waiter waiter, WaitingProcess process) {
        long token = nextToken(waiter.reserve());
        if (!process.isAsking(now)) {
            write("PUBLISH", process.inbox(), "grant 1 " + waiter.id() + " " + token + " " + lock);
        }
        take(waiter.id(), waiter.owner(), waiter.label(), waiter.leaseMillis(), waiter.reserve(), token);
        return waiter.id();
    }

    /** Removes waiters from the queue by their records. */
    void remove(Collection<String> records) {
        if (!records.isEmpty()) {
            List<String> leave = new ArrayList<>(List.of("ZREM", queue));
            leave.addAll(records);
            writes.add(leave);
        }
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

    /** A member of a sorted set with its score. */
    record Scored(String member, long score) {}

    /** Returns the members in a reply to a command with scores, which is a list of pairs in the newer protocol. */
    static List<Scored> scored(@Nullable Object reply) {
        List<@Nullable Object> flat = new ArrayList<>();
        for (Object part : list(reply)) {
            if (part instanceof List<?> pair) {
                flat.addAll(pair);
            } else {
                flat.add(part);
            }
        }
        List<Scored> all = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            all.add(new Scored(String.valueOf(flat.get(i)), number(flat.get(i + 1))));
        }
        return all;
    }
}
