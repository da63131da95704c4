package dev.baton.sample.simulate;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Shows the holders of the server over time: the course of the whole run in sums and shares, and every turn of a window of
 * it. It keeps no more than that, however long the run was.
 *
 * @param start of the run, a {@link System#nanoTime()} as all times here
 * @param length until the last turn ended: when the time is over, an asker still waits for its last turn
 * @param turns how many there were in the whole run
 * @param sums of the whole run
 * @param shares for each of {@value #SLICES} equal slices of the run, the share of its time that each process held
 *     the server
 * @param window what is shown of it turn by turn
 */
record Timeline(long start, long length, long turns, Course.Sums sums, List<List<Double>> shares, Window window) {

    /** Into so many slices the whole run is cut. */
    static final int SLICES = 120;

    /** So many turns begin in the window at most. */
    static final int MOST_SHOWN = 60;

    /**
     * Takes what is to be shown.
     *
     * @param turns of all processes, in any order
     * @param start when they began to ask
     * @param duration how long they were to go on
     */
    static Timeline of(List<Turn> turns, int processes, long start, Duration duration) {
        List<Turn> sorted =
                turns.stream().sorted(Comparator.comparingLong(Turn::started)).toList();
        Course course = Course.of(sorted);
        long length = sorted.stream().mapToLong(turn -> turn.ended() - start).reduce(duration.toNanos(), Math::max);
        double[][] shares = new double[SLICES][processes];
        for (Turn turn : sorted) {
            addShares(shares, turn, start, length);
        }
        return new Timeline(start, length, sorted.size(), course.sums(), boxed(shares), window(sorted, course));
    }

    private static void addShares(double[][] shares, Turn turn, long start, long length) {
        double slice = (double) length / SLICES;
        int first = (int) Math.max(0, (turn.started() - start) / slice);
        for (int i = first; i < SLICES && start + i * slice < turn.ended(); i++) {
            double from = Math.max((double) (turn.started() - start), i * slice);
            double to = Math.min((double) (turn.ended() - start), (i + 1) * slice);
            shares[i][turn.process()] += Math.max(0, to - from) / slice;
        }
    }

    private static List<List<Double>> boxed(double[][] shares) {
        return Arrays.stream(shares)
                .map(slice -> Arrays.stream(slice).boxed().toList())
                .toList();
    }

    /** Around the first overlap, which is what one would want to see; without any, the middle of the run. */
    private static Window window(List<Turn> sorted, Course course) {
        boolean overlap = course.firstOverlap() >= 0;
        int middle = overlap ? course.firstOverlap() : sorted.size() / 2;
        int first = Math.max(0, Math.min(middle - MOST_SHOWN / 2, sorted.size() - MOST_SHOWN));
        List<Turn> begun = sorted.subList(first, Math.min(sorted.size(), first + MOST_SHOWN));
        if (begun.isEmpty()) {
            return new Window("no turn", 0, 0, 0, List.of(), List.of(), List.of(), List.of());
        }
        long from = begun.get(0).started();
        long to = begun.stream().mapToLong(Turn::ended).max().orElse(from);
        return new Window(
                overlap ? "around the first overlap" : "the middle of the run",
                begun.size(),
                from,
                to,
                sorted.stream()
                        .filter(turn -> turn.ended() > from && turn.asked() < to)
                        .toList(),
                course.gaps(from, to),
                course.handOvers(from, to),
                course.overlaps(from, to));
    }

    /**
     * The part that is shown turn by turn.
     *
     * @param what which part of the run it is
     * @param begun how many turns began in it
     * @param turns all that were held or waited for in it, by their start; some begin before or end after it
     * @param gaps in which the server was free and a thread waited for it
     * @param overlaps in which more than one held it
     */
    record Window(
            String what,
            int begun,
            long from,
            long to,
            List<Turn> turns,
            List<Span> gaps,
            List<HandOver> handOvers,
            List<Span> overlaps) {}

    /** From one point in time to another. */
    record Span(long from, long to) {

        boolean meets(long start, long end) {
            return to > start && from < end;
        }
    }

    /**
     * A hand-over of the server to the next holder, which was already waiting for it.
     *
     * @param ended when the previous holder was about to release it
     * @param started when the next had it
     */
    record HandOver(int fromProcess, int toProcess, long ended, long started) {

        boolean local() {
            return fromProcess == toProcess;
        }
    }
}
