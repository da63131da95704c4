package dev.baton.lock.redis.transaction;

import dev.baton.lock.store.AcquireCommand.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The field of one process in the wait key. Times are microseconds of Redis's clock. The page {@code docs/storage.md}
 * describes the texts and their rules.
 *
 * @param until the time until which the process counts as alive
 * @param span four of its rechecks
 * @param born the time since which the process is known; its waiters that came before are dead
 * @param kind {@code m} if messages reach the process, and {@code p} if its waiters ask again instead
 * @param inbox the channel on which the process is notified
 */
record WaitingProcess(long until, long span, long born, String kind, String inbox) {

    private static final Pattern TEXT = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\p{Alpha}) (.*)", Pattern.DOTALL);
    private static final String MESSAGE = "m";
    private static final String POLL = "p";

    /**
     * The time during which rechecks have come without a pause.
     *
     * @param seen the time of the last recheck of any process
     * @param began the time since which rechecks have come without a pause
     * @param least the shortest recheck since then
     */
    record Run(long seen, long began, long least) {

        /** The field that holds the run. */
        static final String FIELD = "run";

        private static final Pattern TEXT = Pattern.compile("(\\d+) (\\d+) (\\d+)(?: .*)?");

        /** Reads the run, or returns {@code null} if there is none. */
        static @Nullable Run read(@Nullable Object text) {
            Matcher field = TEXT.matcher(text == null ? "" : text.toString());
            return field.matches()
                    ? new Run(
                            Long.parseLong(field.group(1)),
                            Long.parseLong(field.group(2)),
                            Long.parseLong(field.group(3)))
                    : null;
        }

        /**
         * Returns the run after a recheck.
         *
         * @param before the run before, or {@code null} if there is none
         */
        static Run after(@Nullable Run before, long now, long recheckMillis) {
            long recheck = 1_000 * recheckMillis;
            if (before == null || 2 * (now - before.seen) > 3 * Math.min(before.least, recheck)) {
                return new Run(now, now, recheck);
            }
            return new Run(now, before.began, Math.min(before.least, recheck));
        }

        String text() {
            return seen + " " + began + " " + least;
        }
    }

    /** Returns the field of the process of a request: its id up to and including the last colon, if it has a colon. */
    static String of(String id) {
        int colon = id.lastIndexOf(':');
        return colon < 0 ? id : id.substring(0, colon + 1);
    }

    /** Reads a field, or returns {@code null} if nothing is known of the process. */
    static @Nullable WaitingProcess read(@Nullable Object text) {
        Matcher field = TEXT.matcher(text == null ? "" : text.toString());
        return field.matches()
                ? new WaitingProcess(
                        Long.parseLong(field.group(1)),
                        Long.parseLong(field.group(2)),
                        Long.parseLong(field.group(3)),
                        field.group(4),
                        field.group(5))
                : null;
    }

    /**
     * Returns the process after a recheck. The time until which it counts as alive is never shortened.
     *
     * @param before the process before, or {@code null} if nothing was known of it
     */
    static WaitingProcess after(
            @Nullable WaitingProcess before, Kind kind, String inbox, long now, long recheckMillis) {
        String letter = kind == Kind.POLL ? POLL : MESSAGE;
        long span = 4_000 * recheckMillis;
        long born = before == null ? now : before.born;
        return before == null || before.until < now + span
                ? new WaitingProcess(now + span, span, born, letter, inbox)
                : new WaitingProcess(before.until, before.span, born, letter, inbox);
    }

    /** Returns whether the process was heard at most a quarter of a recheck ago, and messages reach it as before. */
    boolean wasHeardJustNow(Kind next, long now, long recheckMillis) {
        long ago = now - (until - span);
        return kind.equals(MESSAGE)
                && next == Kind.MESSAGE
                && span >= 4_000 * recheckMillis
                && ago >= 0
                && 4 * ago <= 1_000 * recheckMillis;
    }

    /** Returns whether the process has been silent for its span within this run. */
    boolean isSilent(@Nullable Run run) {
        return run != null && run.seen > Math.max(until, run.began + span);
    }

    /**
     * Returns whether the waiters of the process still ask again in time, and need not be notified. A process that did
     * not ask in time may be gone.
     */
    boolean isAsking(long now) {
        return kind.equals(POLL) && now <= until - span * 11 / 16;
    }

    String text() {
        return until + " " + span + " " + born + " " + kind + " " + inbox;
    }
}
