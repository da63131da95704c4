package dev.baton.lock.faults;

import dev.baton.lock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** What the holders of all processes believed, of locks and semaphores that may have several holders. Thread-safe. */
final class HoldHistory {

    private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();

    /** How a hold excludes others. */
    enum Kind {
        WRITER,
        READER,
        PERMITS
    }

    /**
     * Records the beginning of a hold.
     *
     * @param permits how many permits it has; 1 for a lock
     * @param origin the hold that this one continues with another lease, or {@code null} if it continues none
     */
    Hold begin(String name, Kind kind, int permits, Lease lease, @Nullable Hold origin) {
        Hold hold = new Hold(name, kind, permits, lease, origin);
        holds.add(hold);
        return hold;
    }

    long count(Kind kind) {
        return holds.stream().filter(hold -> hold.kind == kind).count();
    }

    /** Returns the holds of locks that overlap a writer, and those whose tokens are in the wrong order. */
    List<String> violations() {
        List<String> found = new ArrayList<>();
        List<Hold> all = reliedOn();
        for (Hold one : all) {
            for (Hold other : all) {
                if (one == other || !one.name.equals(other.name) || one.from > other.from) {
                    continue;
                }
                boolean overlap = other.from < one.end();
                boolean writer = one.kind == Kind.WRITER || other.kind == Kind.WRITER;
                if (overlap && writer) {
                    found.add("overlap: " + one + " and " + other);
                }
                boolean ordered = writer ? other.token > one.token : other.token >= one.token;
                if (!overlap && one.origin != other.origin && !ordered) {
                    found.add("tokens: " + one + " before " + other);
                }
                if (overlap && !writer && one.token != other.token && one.sure && other.sure) {
                    found.add("two runs: " + one + " and " + other);
                }
            }
        }
        return found;
    }

    /** Returns the holds of semaphores that have more permits together than there are, and tokens of several holds. */
    List<String> permitViolations(int size) {
        List<String> found = new ArrayList<>();
        List<Hold> all = reliedOn();
        Set<String> tokens = new HashSet<>();
        for (Hold one : all) {
            List<Hold> together = all.stream()
                    .filter(other -> other.name.equals(one.name) && other.from <= one.from && one.from < other.end())
                    .toList();
            if (together.stream().mapToInt(hold -> hold.permits).sum() > size) {
                found.add("too many: " + together);
            }
            if (!tokens.add(one.name + " " + one.token)) {
                found.add("token of another hold: " + one);
            }
        }
        return found;
    }

    /** Leaves out leases that were over before their holders looked at them. */
    private List<Hold> reliedOn() {
        return holds.stream().filter(hold -> hold.believed > hold.from).toList();
    }

    /** One hold, and until when its holder relied on it. Written by one thread. */
    static final class Hold {

        private final String name;
        private final Kind kind;
        private final int permits;
        private final Lease lease;
        private final Object origin;
        private final long from = System.nanoTime();
        private volatile long token;
        private volatile long believed;
        private volatile long released = Long.MAX_VALUE;
        /** Whether the token is known to be that of the run: a downgrade may not be answered yet. */
        private volatile boolean sure = true;

        private Hold(String name, Kind kind, int permits, Lease lease, @Nullable Hold origin) {
            this.name = name;
            this.kind = kind;
            this.permits = permits;
            this.lease = lease;
            this.origin = origin == null ? this : origin.origin;
            this.token = lease.fencingToken();
        }

        Lease lease() {
            return lease;
        }

        /** Returns how long the holder may still rely on the lease, and records that it does. */
        Duration remaining() {
            return remaining(-1);
        }

        /** @param unsure a token that the hold has only until its downgrade is answered */
        Duration remaining(long unsure) {
            long now = System.nanoTime();
            Duration left = lease.remaining();
            if (!left.isZero()) {
                token = lease.fencingToken();
                sure = token != unsure;
                believed = Math.max(believed, now + left.toNanos());
            }
            return left;
        }

        /** Records that the holder no longer relies on the lease. */
        void ends() {
            released = System.nanoTime();
        }

        private long end() {
            return Math.min(believed, released);
        }

        @Override
        public String toString() {
            return kind + " of " + permits + " of " + name + " " + from + " to " + end() + " with " + token;
        }
    }
}
