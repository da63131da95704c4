package dev.baton.sample.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Goes from turn to turn and says what was between them: a gap, a hand-over, or an overlap. */
final class Course {

    private final List<Turn> sorted;
    private final long[] firstAsked;
    private Sums sums = new Sums(0, 0, 0, 0, 0, 0);
    private int firstOverlap = -1;

    private Course(List<Turn> sorted) {
        this.sorted = sorted;
        this.firstAsked = new long[sorted.size()];
        long first = Long.MAX_VALUE;
        for (int i = sorted.size() - 1; i >= 0; i--) {
            first = Math.min(first, sorted.get(i).asked());
            firstAsked[i] = first;
        }
    }

    /** Creates the course of turns that are sorted by their start. */
    static Course of(List<Turn> sorted) {
        Course course = new Course(sorted);
        course.walk(course::add);
        return course;
    }

    Sums sums() {
        return sums;
    }

    /** The first turn that began before an earlier one had ended; -1: none. */
    int firstOverlap() {
        return firstOverlap;
    }

    /** Returns the spans in which the server was free although a thread waited. */
    List<Timeline.Span> gaps(long from, long to) {
        return between(from, to, Step::gap);
    }

    /** Returns the spans in which more than one thread held it; they do not overlap each other. */
    List<Timeline.Span> overlaps(long from, long to) {
        return between(from, to, Step::overlap);
    }

    List<Timeline.HandOver> handOvers(long from, long to) {
        List<Timeline.HandOver> handOvers = new ArrayList<>();
        walk(step -> {
            Timeline.HandOver handOver = step.handOver();
            if (handOver != null && handOver.ended() >= from && handOver.started() <= to) {
                handOvers.add(handOver);
            }
        });
        return handOvers;
    }

    private List<Timeline.Span> between(long from, long to, Function<Step, Timeline.Span> what) {
        List<Timeline.Span> spans = new ArrayList<>();
        walk(step -> {
            Timeline.Span span = what.apply(step);
            if (span.to() > span.from() && span.meets(from, to)) {
                add(spans, span);
            }
        });
        return spans;
    }

    /** One for several that follow each other without a pause. */
    private static void add(List<Timeline.Span> spans, Timeline.Span span) {
        int last = spans.size() - 1;
        if (last >= 0 && spans.get(last).to() >= span.from()) {
            spans.set(last, new Timeline.Span(spans.get(last).from(), span.to()));
        } else {
            spans.add(span);
        }
    }

    private void walk(Consumer<Step> consumer) {
        Turn last = null; // the one that ended last so far
        long covered = Long.MIN_VALUE; // up to here every overlap has been told
        for (int i = 0; i < sorted.size(); i++) {
            Turn turn = sorted.get(i);
            if (last != null) {
                Step step = new Step(i, last, turn, firstAsked[i], covered);
                consumer.accept(step);
                covered = Math.max(covered, step.overlap().to());
            }
            last = last == null || turn.ended() > last.ended() ? turn : last;
        }
    }

    private void add(Step step) {
        Timeline.HandOver handOver = step.handOver();
        boolean overlaps = step.turn().started() < step.last().ended();
        if (overlaps && firstOverlap < 0) {
            firstOverlap = step.index();
        }
        sums = new Sums(
                sums.localHandOvers() + (handOver != null && handOver.local() ? 1 : 0),
                sums.remoteHandOvers() + (handOver != null && !handOver.local() ? 1 : 0),
                sums.gapNanos() + length(step.gap()),
                Math.max(sums.longestGapNanos(), length(step.gap())),
                sums.overlaps() + (overlaps ? 1 : 0),
                sums.overlapNanos() + length(step.overlap()));
    }

    private static long length(Timeline.Span span) {
        return Math.max(0, span.to() - span.from());
    }

    /**
     * The sums of a whole run.
     *
     * @param localHandOvers the hand-overs to a waiter of the same process
     * @param remoteHandOvers the hand-overs to a waiter of another process
     * @param gapNanos the total time for which the server was free although a thread waited
     * @param overlaps how many turns began before all earlier ones had ended
     * @param overlapNanos how long more than one held it
     */
    record Sums(
            long localHandOvers,
            long remoteHandOvers,
            long gapNanos,
            long longestGapNanos,
            long overlaps,
            long overlapNanos) {}

    /**
     * From one turn to the next.
     *
     * @param last the one before that ended last
     * @param firstAsked since when this one or a later one was asked for
     */
    private record Step(int index, Turn last, Turn turn, long firstAsked, long covered) {

        Timeline.Span gap() {
            return new Timeline.Span(Math.max(last.ended(), firstAsked), turn.started());
        }

        Timeline.Span overlap() {
            return new Timeline.Span(Math.max(covered, turn.started()), Math.min(turn.ended(), last.ended()));
        }

        Timeline.@Nullable HandOver handOver() {
            return turn.started() >= last.ended() && turn.asked() < last.ended()
                    ? new Timeline.HandOver(last.process(), turn.process(), last.ended(), turn.started())
                    : null;
        }
    }
}
