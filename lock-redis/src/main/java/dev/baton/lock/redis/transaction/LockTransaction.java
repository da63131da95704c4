package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.Tokens;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes one attempt to change one lock, or several locks together: watches, reads, collects the writes, and commits.
 * Reads and writes the same state as the scripts. Unlike a script, an attempt fails if another process has changed one
 * of the locks by its end; then nothing was done.
 *
 * <p>Reads the highest token before the locks. A process that learns that a lock is busy considers a grant without a
 * greater token overtaken.
 */
final class LockTransaction {

    /** The number of answers before those about the locks. */
    private static final int BEFORE_LOCKS = 3;

    /** Redis's clock, in microseconds. */
    final long now;

    private final TransactionConnection redis;
    private final String fence;
    private final List<WatchedLock> locks;
    private final List<List<String>> writes = new ArrayList<>();

    private long mark;
    /** Whether this attempt has written a grant, so that {@link #mark} is the value that it leaves in the fence. */
    private boolean granting;

    /**
     * Begins an attempt.
     *
     * @param names the locks, which no other client may change meanwhile
     * @param others further keys that must not change
     */
    LockTransaction(TransactionConnection redis, RedisKeys keys, List<LockName> names, List<String> others) {
        this.redis = redis;
        this.fence = keys.fence();
        this.locks = names.stream().map(name -> new WatchedLock(keys, name)).toList();
        List<@Nullable Object> read = readAll(others);
        this.mark = number(read.get(1));
        this.now = micros(read.get(2));
        for (int i = 0; i < locks.size(); i++) {
            locks.get(i).hold(HeldLock.read(read.get(BEFORE_LOCKS + 2 * i), read.get(BEFORE_LOCKS + 2 * i + 1)));
        }
    }

    private List<@Nullable Object> readAll(List<String> others) {
        List<String> watch = new ArrayList<>(List.of("WATCH"));
        List<List<String>> questions = new ArrayList<>(List.of(watch, List.of("GET", fence), List.of("TIME")));
        for (WatchedLock one : locks) {
            watch.add(one.lock);
            watch.add(one.queue);
            questions.add(List.of("GET", one.lock));
            questions.add(List.of("PTTL", one.lock));
        }
        watch.addAll(others);
        try {
            return redis.ask(questions);
        } catch (TransactionConnection.RefusedException ex) {
            if (locks.stream().anyMatch(one -> isHash(redis, one.lock))) {
                throw StoredTexts.otherFormat("1");
            }
            throw ex;
        }
    }

    /** Returns whether a lock has another type: the first format kept a lock in a hash. */
    static boolean isHash(TransactionConnection redis, String lock) {
        try {
            redis.ask(List.of(List.of("GET", lock)));
            return false;
        } catch (TransactionConnection.RefusedException ex) {
            return String.valueOf(ex.getMessage()).contains("WRONGTYPE");
        }
    }

    /** Returns the locks, in the order of the names. */
    List<WatchedLock> locks() {
        return locks;
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

    /** Returns those of the free locks that have requests in their queue. */
    List<WatchedLock> freeWithQueue() {
        List<WatchedLock> free = locks.stream().filter(WatchedLock::isFree).toList();
        List<@Nullable Object> exist =
                askAll(free.stream().map(one -> List.of("EXISTS", one.queue)).toList());
        return IntStream.range(0, free.size())
                .filter(i -> number(exist.get(i)) == 1)
                .mapToObj(free::get)
                .toList();
    }

    /** Returns whether no request is in the queue of any of the locks. */
    boolean hasNoQueue() {
        List<String> exist = new ArrayList<>(List.of("EXISTS"));
        locks.forEach(one -> exist.add(one.queue));
        return number(ask(exist.toArray(String[]::new))) == 0;
    }

    /**
     * Returns the next token, which no other client can take meanwhile.
     *
     * @param reserve the number of tokens after it that are given to no other process
     */
    private long nextToken(long reserve) {
        if (granting) {
            return Tokens.next(mark, now, reserve);
        }
        List<@Nullable Object> read = redis.ask(List.of(List.of("WATCH", fence), List.of("GET", fence)));
        return Tokens.next(number(read.get(1)), now, reserve);
    }

    /**
     * Writes a grant of all locks to a request, and returns its token.
     *
     * @param reserve the number of tokens after its own that are given to no other process, if its token reserves any
     */
    long grant(AcquireCommand.Request request, long reserve) {
        long token = nextToken(reserve);
        take(locks, request.id(), request.owner(), request.label(), request.leaseMillis(), reserve, token);
        return token;
    }

    /** Lets the lease of a lock end no sooner than so many milliseconds from now. */
    void extend(WatchedLock one, long leaseMillis) {
        HeldLock held = one.held();
        if (held != null && held.leftMillis() < leaseMillis) {
            write("PEXPIRE", one.lock, Long.toString(leaseMillis));
        }
    }

    private void take(
            List<WatchedLock> taken,
            String id,
            String owner,
            String label,
            long leaseMillis,
            long reserve,
            long token) {
        mark = token + Tokens.kept(token, reserve);
        granting = true;
        write("SET", fence, Long.toString(mark));
        String text = StoredTexts.lock(id, token, now, owner, label);
        for (WatchedLock one : taken) {
            write("SET", one.lock, text, "PX", Long.toString(leaseMillis));
            one.hold(HeldLock.of(text, leaseMillis));
        }
    }

    /**
     * Writes a grant to a waiter, and notifies the waiter unless it asks again on its own. Returns the id of its
     * request.
     */
    String handOver(WatchedLock one, StoredTexts.Waiter waiter, WaitingProcess process) {
        long token = nextToken(waiter.reserve());
        if (!process.isAsking(now)) {
            write("PUBLISH", process.inbox(), "grant 1 " + waiter.id() + " " + token + " " + one.lock);
        }
        take(List.of(one), waiter.id(), waiter.owner(), waiter.label(), waiter.leaseMillis(), waiter.reserve(), token);
        return waiter.id();
    }

    /** Removes waiters from the queue of a lock by their records. */
    void remove(WatchedLock one, Collection<String> records) {
        if (!records.isEmpty()) {
            List<String> leave = new ArrayList<>(List.of("ZREM", one.queue));
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

    /** Tells the process of the holder of a lock that it is wanted. Changes nothing. Returns how many were told: 0 or 1. */
    static int tellHolder(TransactionConnection redis, RedisKeys keys, LockName name) {
        String lock = keys.lock(name);
        Object text = redis.ask(List.of(List.of("GET", lock))).get(0);
        StoredTexts.Lock held = text == null ? null : StoredTexts.lock(text.toString());
        int colon = held == null ? -1 : held.id().lastIndexOf(':');
        if (held == null || colon < 0) {
            return 0;
        }
        String inbox = keys.inbox(held.id().substring(0, colon));
        redis.ask(List.of(List.of("PUBLISH", inbox, "wanted 1 " + held.id() + " " + held.token() + " " + lock)));
        return 1;
    }

    /** Returns the microseconds in an answer to TIME. */
    static long micros(@Nullable Object reply) {
        List<?> time = list(reply);
        return number(time.get(0)) * 1_000_000 + number(time.get(1));
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
