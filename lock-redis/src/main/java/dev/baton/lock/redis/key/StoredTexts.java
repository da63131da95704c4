package dev.baton.lock.redis.key;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the texts that Redis keeps: of locks, and of waiters. The page {@code docs/storage.md} describes them.
 * One space separates the fields. A free text has no space of its own.
 */
public final class StoredTexts {

    /** The version of the format. */
    public static final String VERSION = "2";

    private static final String REMEDY = ", and this process uses format " + VERSION
            + ": stop the processes of one version before those of the other acquire the same locks";

    /** What the text of an exclusive lock or of its waiter begins with. */
    private static final String EXCLUSIVE = VERSION + " x ";

    /** What the text of a shared lock, or of a request that shares a lock, begins with. */
    private static final String SHARED = VERSION + " s ";

    /** What the text of a request that awaits a condition, or was signalled, begins with. */
    private static final String CONDITIONAL = VERSION + " c ";

    /** What the text of a semaphore, or of a request for permits, begins with. */
    private static final String PERMITS = VERSION + " p ";

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final String UNKNOWN = "unknown";

    private static final int LOCK_FIELDS = 7;
    private static final int WAITER_FIELDS = 8;

    /**
     * The text of a lock.
     *
     * @param mode the mode: {@code x} if the lock is exclusive, {@code s} if readers share it, {@code p} if it is a
     *     semaphore
     * @param id the request that holds the lock, or empty if that request has ended or readers share the lock
     * @param since when the lock was granted, in microseconds of Redis's clock
     * @param permits how many permits the request has; 0 if it holds a lock
     */
    public record Lock(String mode, String id, long token, long since, String owner, String label, int permits) {

        public boolean isExclusive() {
            return mode.equals("x");
        }

        public boolean isBy(String request) {
            return isExclusive() && id.equals(request);
        }

        /**
         * Returns the holder.
         *
         * @param now the time in microseconds of Redis's clock
         * @param leftMillis the remaining lease time in milliseconds, or negative if the lease has no end
         */
        public LockHolder holder(long now, long leftMillis) {
            return new LockHolder(
                    // the marker of a run names no reader
                    label.isEmpty() && mode.equals("s") ? "readers" : label,
                    owner,
                    token,
                    Duration.ofMillis(Math.max(0, (now - since) / 1000)),
                    leftMillis < 0 ? LockDurations.LONGEST_EXPIRE : Duration.ofMillis(leftMillis),
                    permits);
        }
    }

    /**
     * The record of a waiter.
     *
     * @param leaseMillis the length of its lease
     * @param patienceMillis how long it waits from its arrival, or -1 if it waits without a bound
     * @param reserve the number of tokens after its own that are given to no other process
     * @param several whether it asks for several locks
     */
    public record Waiter(
            String id,
            long leaseMillis,
            long patienceMillis,
            int reserve,
            String owner,
            String label,
            boolean several) {

        /**
         * Returns whether its time is over.
         *
         * @param arrival when it joined the queue, and {@code now}: microseconds of Redis's clock
         */
        public boolean isLate(long arrival, long now) {
            return patienceMillis >= 0 && arrival + patienceMillis * 1000 <= now;
        }

        /**
         * Returns the waiter for people.
         *
         * @param arrival when it joined the queue, and {@code now}: microseconds of Redis's clock
         */
        public LockWaiter waiter(long arrival, long now) {
            return new LockWaiter(label, owner, Duration.ofMillis(Math.max(0, (now - arrival) / 1000)));
        }
    }

    private StoredTexts() {}

    /** Returns what every record of a request, and the text of its lock, begin with. */
    public static String head(String id) {
        return EXCLUSIVE + id + " ";
    }

    /**
     * Returns the record of a request that shares no lock. A request always has the same record.
     *
     * @param locks the keys of its locks, or none of them if it asks for one lock
     */
    public static String waiter(Request request, List<String> locks) {
        return waiter("", request, List.of(), locks);
    }

    /**
     * Returns another text and the record of a request.
     *
     * @param names the locks of the request
     * @param locks the keys of its locks, or none of them if it asks for one lock
     */
    public static String waiter(String before, Request request, List<LockName> names, List<String> locks) {
        LockPermits permits = request.permits();
        boolean shares = !request.shared().isEmpty();
        boolean conditional = !request.condition().isEmpty();
        String text = before
                + (permits != null ? PERMITS : shares ? SHARED : conditional ? CONDITIONAL : EXCLUSIVE)
                + request.id()
                + ' '
                + request.leaseMillis()
                + ' '
                + request.patienceMillis()
                + ' '
                + request.reserve()
                + ' '
                + escape(request.owner())
                + ' '
                + escape(request.label())
                + (conditional ? " " + request.condition() : "");
        if (permits != null) {
            return text + ' ' + request.passMillis() + ' ' + permits.count() + ' ' + permits.size();
        }
        if (locks.size() <= 1) {
            return text;
        }
        StringBuilder several = new StringBuilder(text).append(' ').append(request.passMillis());
        for (int i = 0; i < locks.size(); i++) {
            if (shares) {
                several.append(request.shared().contains(names.get(i)) ? " s" : " x");
            }
            several.append(' ').append(escape(locks.get(i)));
        }
        return several.toString();
    }

    /** Reads the record of a request that shares no lock, or returns {@code null} if it cannot be read. */
    public static @Nullable Waiter waiter(String record) {
        return record.startsWith(EXCLUSIVE) ? anyWaiter(record) : null;
    }

    /** Reads a record in any mode, or returns {@code null} if this version cannot read it. */
    public static @Nullable Waiter anyWaiter(String record) {
        String[] field = fields(record);
        boolean known = Stream.of(EXCLUSIVE, SHARED, CONDITIONAL, PERMITS).anyMatch(record::startsWith);
        if (!known || field.length < WAITER_FIELDS) {
            return null;
        }
        try {
            long lease = Long.parseLong(field[3]);
            int reserve = Integer.parseInt(field[5]);
            if (lease <= 0 || reserve < 0) {
                return null;
            }
            return new Waiter(
                    field[2],
                    lease,
                    Long.parseLong(field[4]),
                    reserve,
                    unescape(field[6]),
                    unescape(field[7]),
                    isForSeveral(field));
        } catch (NumberFormatException ex) {
            return null;
        }
    }

    /** Returns whether a time and keys follow. A later version may add other fields. */
    private static boolean isForSeveral(String[] field) {
        return field.length > WAITER_FIELDS + 1
                && !field[WAITER_FIELDS].isEmpty()
                && field[WAITER_FIELDS].chars().allMatch(letter -> letter >= '0' && letter <= '9')
                && !(field.length == WAITER_FIELDS + 2 && field[WAITER_FIELDS + 1].isEmpty());
    }

    /** Returns the text of a lock that is granted to a request. */
    public static String lock(String id, long token, long since, String owner, String label) {
        return EXCLUSIVE + id + ' ' + token + ' ' + since + ' ' + escape(owner) + ' ' + escape(label);
    }

    /**
     * Reads the text of a lock.
     *
     * @throws StoreException if the text has another version
     */
    public static Lock lock(String text) {
        String[] field = fields(text);
        if (!field[0].equals(VERSION) || field.length < LOCK_FIELDS) {
            throw otherFormat(field[0]);
        }
        try {
            return new Lock(
                    field[1],
                    field[2],
                    Long.parseLong(field[3]),
                    Long.parseLong(field[4]),
                    unescape(field[5]),
                    unescape(field[6]),
                    text.startsWith(PERMITS) && field.length > LOCK_FIELDS ? Integer.parseInt(field[LOCK_FIELDS]) : 0);
        } catch (NumberFormatException ex) {
            throw otherFormat(UNKNOWN);
        }
    }

    /** Returns the fields of a text. Fields may be empty. */
    public static String[] fields(String text) {
        return text.split(" ", -1);
    }

    /**
     * Returns the failure of a command that found a lock in another storage format.
     *
     * @param version the other format; if it is not the number of another format, the message says that it is unknown
     */
    public static StoreException otherFormat(String version) {
        return new StoreException("a lock " + hasOtherFormat(version), false, null);
    }

    /** Returns the failure of a force-release of a lock in a mode that this version does not know. */
    public static StoreException otherMode(LockName name) {
        return new StoreException(
                "lock '" + name.name()
                        + "' is held in a way that this version does not know, and was left unchanged;"
                        + " force-release it with the version that acquired it",
                false,
                null);
    }

    /** Returns the message of {@link #otherFormat} after the name of the lock. */
    static String hasOtherFormat(String version) {
        boolean known = !version.equals(VERSION) && NUMBER.matcher(version).matches();
        return "has " + (known ? "storage format " + version : "an unknown storage format") + REMEDY;
    }

    /** Returns the same for the format in which a lock was a hash. */
    static String inFirstFormat() {
        return "storage format 1" + REMEDY;
    }

    /** Returns a free text as a field. */
    public static String escape(String text) {
        return text.replace("%", "%25").replace(" ", "%20");
    }

    /** Returns the free text of a field. */
    public static String unescape(String field) {
        return field.replace("%20", " ").replace("%25", "%");
    }
}
