package dev.baton.sample.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The turns of one process in the window of a {@link Timeline}. Turns at the same time, which there are without
 * the lock, are in rows below each other.
 *
 * @param top of the lane in the picture
 * @param rows how many, at least one
 * @param waits when at least one of its threads waited; they do not overlap each other
 */
record Lane(int process, int top, int rows, List<Held> holds, List<Timeline.Span> waits) {

    private static final int ROW = 14;

    static Lane of(int process, int top, Timeline.Window window) {
        List<Turn> own = window.turns().stream()
                .filter(turn -> turn.process() == process)
                .toList();
        List<Held> holds = new ArrayList<>();
        List<Long> ends = new ArrayList<>(); // of the last turn in each row
        for (Turn turn : own) {
            if (turn.started() < window.to() && turn.ended() > window.from()) {
                int row = 0;
                while (row < ends.size() && ends.get(row) > turn.started()) {
                    row++;
                }
                if (row == ends.size()) {
                    ends.add(turn.ended());
                } else {
                    ends.set(row, turn.ended());
                }
                holds.add(new Held(turn, row));
            }
        }
        return new Lane(process, top, Math.max(1, ends.size()), holds, waits(own, window));
    }

    private static List<Timeline.Span> waits(List<Turn> own, Timeline.Window window) {
        List<Timeline.Span> waits = new ArrayList<>();
        List<Turn> asked = own.stream()
                .filter(turn -> turn.asked() < window.to() && turn.started() > window.from())
                .sorted(Comparator.comparingLong(Turn::asked))
                .toList();
        for (Turn turn : asked) {
            Timeline.Span before = waits.isEmpty() ? null : waits.get(waits.size() - 1);
            if (before != null && turn.asked() <= before.to()) {
                waits.set(waits.size() - 1, new Timeline.Span(before.from(), Math.max(before.to(), turn.started())));
            } else {
                waits.add(new Timeline.Span(turn.asked(), turn.started()));
            }
        }
        return waits;
    }

    int bottom() {
        return top + rows * ROW;
    }

    /** A turn and where it is drawn. */
    record Held(Turn turn, int row) {}
}
