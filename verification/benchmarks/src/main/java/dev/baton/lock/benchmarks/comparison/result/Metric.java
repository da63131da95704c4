package dev.baton.lock.benchmarks.comparison.result;

import java.util.Locale;

/** What is measured, and how it is written. */
public enum Metric {
    PAIR_MICROS("pair, µs", 1),
    PER_SECOND("acquisitions/s", 0),
    THREADS("threads max/min", 2),
    PROCESSES("processes max/min", 2),
    HAND_OVER_MICROS("hand-over p50, µs", 0),
    WRITE_MICROS("wait of a writer p50, µs", 0),
    IDLE_COMMANDS("commands/s while idle", 1),
    BURST_MILLIS("burst, ms", 1),
    BURST_COMMANDS("commands of the burst", 0),
    WAITER_MICROS("acquisition, µs", 1),
    COMMANDS("commands", 2),
    REDIS_MICROS("Redis CPU, µs", 1),
    CLIENT_MICROS("client CPU, µs", 1),
    HEAP_BYTES("heap, bytes", 0),
    RENEWAL_SHARE("client CPU, share of a core", 3),
    REDIS_SHARE("Redis CPU, share of a core", 3),
    LOST("leases lost", 0),
    SENT_BYTES("bytes to Redis", 0),
    RECEIVED_BYTES("bytes from Redis", 0),
    FASTER("times as fast as Redisson", 2);

    private final String title;
    private final int digits;

    Metric(String title, int digits) {
        this.title = title;
        this.digits = digits;
    }

    /** Its column. */
    public String title() {
        return title;
    }

    /** Returns whether less of it is better, as of a time. */
    public boolean lessIsBetter() {
        return this != PER_SECOND;
    }

    /**
     * Returns whether the report has the mean of the rounds instead of their median. The operating system counts the
     * CPU time of a process in steps of 10 ms, which only a sum over all rounds evens out.
     */
    public boolean averaged() {
        return this == REDIS_MICROS || this == CLIENT_MICROS;
    }

    /** A figure of it. */
    public String format(double value) {
        return text(value, digits);
    }

    static String text(double value, int digits) {
        return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
