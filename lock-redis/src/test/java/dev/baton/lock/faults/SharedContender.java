package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import dev.baton.lock.LockException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes at random, and becomes a reader of some locks that it has written. Keeps its own history, because a lock may
 * have several holders.
 */
record SharedContender(BatonContender contender, History history) implements Contender {

    /** What the holders of all processes believed. */
    static final class History {

        private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();
        private final AtomicLong downgrades = new AtomicLong();

        long downgrades() {
            return downgrades.get();
        }

        long readers() {
            return holds.stream().filter(hold -> !hold.writes).count();
        }

        long writers() {
            return holds.size() - readers();
        }

        /** Returns the holds that overlap a writer, and those whose tokens are in the wrong order. */
        List<String> violations() {
            List<String> found = new ArrayList<>();
            // a lease that was over before its holder looked at it was relied on by nobody
            List<Hold> all =
                    holds.stream().filter(hold -> hold.believed > hold.from).toList();
            for (Hold one : all) {
                for (Hold other : all) {
                    if (one == other || !one.name.equals(other.name) || one.from > other.from) {
                        continue;
                    }
                    boolean overlap = other.from < one.end();
                    if (overlap && (one.writes || other.writes)) {
                        found.add("overlap: " + one + " and " + other);
                    }
                    boolean same = one.origin == other.origin;
                    if (!overlap
                            && !same
                            && (one.writes || other.writes ? other.token <= one.token : other.token < one.token)) {
                        found.add("tokens: " + one + " before " + other);
                    }
                    if (overlap && !one.writes && !other.writes && one.token != other.token && one.sure && other.sure) {
                        found.add("two runs: " + one + " and " + other);
                    }
                }
            }
            return found;
        }
    }

    /** One hold, and until when its holder relied on it. Written by one thread. */
    private static final class Hold {

        private final String name;
        private final boolean writes;
        private final long from;
        private final Object origin;
        private volatile long token;
        private volatile long believed;
        private volatile long released = Long.MAX_VALUE;
        /** Whether the token is known to be that of the run: a downgrade may not be answered yet. */
        private volatile boolean sure = true;

        Hold(String name, boolean writes, long from, Object origin) {
            this.name = name;
            this.writes = writes;
            this.from = from;
            this.origin = origin;
        }

        long end() {
            return Math.min(believed, released);
        }

        @Override
        public String toString() {
            return (writes ? "writer of " : "reader of ") + name + " " + from + " to " + end() + " with " + token;
        }
    }

    @Override
    public @Nullable HeldLock acquire(String name, Duration wait, LeaseKind kind) {
        boolean writes = ThreadLocalRandom.current().nextInt(3) == 0;
        LockRequest asked = LockRequest.of(name).waitTime(wait).mode(writes ? LockMode.EXCLUSIVE : LockMode.SHARED);
        LockRequest request = kind == LeaseKind.RENEWED ? asked : asked.expire(FaultRun.LIMITED);
        LockTemplate locks = contender.locks();
        try {
            Held held = new Held(name, locks.acquire(request), writes);
            if (writes && ThreadLocalRandom.current().nextBoolean()) {
                downgrade(held, locks, request.mode(LockMode.SHARED));
            }
            return held;
        } catch (LockException refused) {
            return null;
        }
    }

    /** Becomes a reader after a moment as a writer. */
    private void downgrade(Held held, LockTemplate locks, LockRequest shared) {
        held.remaining();
        Lease reader;
        try {
            reader = locks.acquire(shared);
        } catch (LockException lost) {
            return;
        }
        Lease writer = held.lease;
        held.hold.released = System.nanoTime();
        writer.release();
        history.downgrades.incrementAndGet();
        held.next(reader, writer.fencingToken());
    }

    private final class Held implements HeldLock {

        private Lease lease;
        private Hold hold;
        private long unsure = -1;

        Held(String name, Lease lease, boolean writes) {
            this.lease = lease;
            this.hold = new Hold(name, writes, System.nanoTime(), this);
            begin();
        }

        private void begin() {
            hold.token = lease.fencingToken();
            history.holds.add(hold);
        }

        void next(Lease reader, long writersToken) {
            lease = reader;
            unsure = writersToken;
            hold = new Hold(hold.name, false, System.nanoTime(), hold.origin);
            begin();
            remaining();
        }

        @Override
        public long token() {
            return lease.fencingToken();
        }

        @Override
        public Duration remaining() {
            long now = System.nanoTime();
            Duration left = lease.remaining();
            if (!left.isZero()) {
                hold.token = lease.fencingToken();
                hold.sure = hold.token != unsure;
                hold.believed = Math.max(hold.believed, now + left.toNanos());
            }
            return left;
        }

        @Override
        public void release() {
            hold.released = System.nanoTime();
            lease.release();
        }
    }

    @Override
    public void close() {
        contender.close();
    }

    static List<LockTemplate> templates(Collection<SharedContender> contenders) {
        return contenders.stream().map(one -> one.contender().locks()).toList();
    }
}
