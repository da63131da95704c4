package dev.baton.lock.observation;

import dev.baton.lock.LockListener.Ended.Reason;
import io.micrometer.core.instrument.Meter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Defines every lock meter of a process: its name, its meaning and its tags. {@code docs/meters.md} lists them as a
 * table.
 *
 * <p>No meter counts re-entries. Names and tags are part of the public API, as properties are.
 */
public enum LockMeter {
    /** See {@link #meaning()}, as for all constants. */
    WAIT(
            "baton.wait",
            Meter.Type.TIMER,
            "how long requests waited, granted or not; a refused try counts as zero",
            Tag.SCOPE,
            Tag.MODE),
    HOLD(
            "baton.hold",
            Meter.Type.TIMER,
            "how long locks were held, from the grant until released or lost",
            Tag.SCOPE,
            Tag.MODE),
    ACQUISITIONS(
            "baton.acquisitions", Meter.Type.COUNTER, "requests, by how they ended", Tag.SCOPE, Tag.MODE, Tag.OUTCOME),
    LOST("baton.lost", Meter.Type.COUNTER, "leases that ended before they were released", Tag.SCOPE, Tag.MODE),
    STOLEN("baton.stolen", Meter.Type.COUNTER, "requests that took locks from their holders", Tag.SCOPE, Tag.MODE),
    HANDOVERS(
            "baton.handovers",
            Meter.Type.COUNTER,
            "locks that a release of this process handed to a waiter",
            Tag.SCOPE,
            Tag.MODE,
            Tag.TO),
    RECHECKS(
            "baton.rechecks",
            Meter.Type.COUNTER,
            "commands that asked Redis again for requests that wait",
            Tag.SCOPE,
            Tag.MODE),
    HELD("baton.held", Meter.Type.GAUGE, "leases that are held now", Tag.SCOPE, Tag.MODE),
    WAITING(
            "baton.waiting",
            Meter.Type.GAUGE,
            "requests that wait now, or have not been answered yet",
            Tag.SCOPE,
            Tag.MODE),
    LONGEST_HOLD(
            "baton.hold.longest",
            Meter.Type.GAUGE,
            "for how long the oldest lease has been held, in seconds",
            Tag.SCOPE,
            Tag.MODE),
    LONGEST_WAIT(
            "baton.wait.longest",
            Meter.Type.GAUGE,
            "for how long the oldest request has waited, in seconds",
            Tag.SCOPE,
            Tag.MODE);

    private final String key;
    private final Meter.Type type;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Tag> tags;

    LockMeter(String key, Meter.Type type, String meaning, Tag... tags) {
        this.key = key;
        this.type = type;
        this.meaning = meaning;
        this.tags = List.of(tags);
    }

    /** Returns the name of the meter. */
    public String key() {
        return key;
    }

    public Meter.Type type() {
        return type;
    }

    /** Returns a description of what the meter counts or measures. */
    public String meaning() {
        return meaning;
    }

    /** Returns all tags of the meter. */
    public List<Tag> tags() {
        return tags;
    }

    /** Returns the value of {@link Tag#OUTCOME} for a request that ended without a grant, other than by a time-out. */
    static String outcome(Reason reason) {
        return Outcomes.NAMES.getOrDefault(reason, "failed");
    }

    /** Tag values that are computed once, because every request that fails needs one. */
    private static final class Outcomes {

        static final Map<Reason, String> NAMES = Arrays.stream(Reason.values())
                .collect(Collectors.toUnmodifiableMap(
                        reason -> reason,
                        reason -> reason.name().toLowerCase(Locale.ROOT).replace('_', '-')));
    }

    /** Tags of the meters. No tag value is ever a lock key, so the number of values is bounded. */
    public enum Tag {
        /** The kind of thing that is locked. */
        SCOPE("scope", "the scope; several scopes joined by +; 'other' for scopes beyond baton.metrics.max-scopes"),
        /** Whether the lock is shared. */
        MODE("mode", "exclusive or shared; a request that shares only some of its locks is exclusive"),
        /** The outcome of a request. */
        OUTCOME(
                "outcome",
                "granted, timeout, interrupted, deadlock, store-error, limit, cancelled, lost, entered, failed"),
        /** The destination of a handed-over lock. */
        TO("to", "local: to a waiter of this process, remote: to one of another");

        private final String key;
        private final String meaning;

        Tag(String key, String meaning) {
            this.key = key;
            this.meaning = meaning;
        }

        public String key() {
            return key;
        }

        /** Returns a description of the values of the tag. */
        public String meaning() {
            return meaning;
        }
    }
}
