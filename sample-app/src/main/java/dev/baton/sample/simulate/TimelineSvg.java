package dev.baton.sample.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws a {@link Timeline}: the whole run in shares, and below it a window of it turn by turn, a lane for each process. */
final class TimelineSvg {

    private static final int WIDTH = 1000;
    private static final int LEFT = 96;
    private static final int RIGHT = 984;
    private static final int RUN_TOP = 66;
    private static final int RUN_HEIGHT = 48;
    private static final int LANES_TOP = 172;
    private static final int ROW = 14;
    private static final int LANE_GAP = 10;

    /** Distinguishable for colour-blind readers as well; without red, which marks overlaps. */
    private static final int COLOURS = 6;

    private final SimulationResult result;
    private final Timeline timeline;
    private final Timeline.Window window;
    private final List<Lane> lanes;
    private final SvgText svg = new SvgText();

    private TimelineSvg(SimulationResult result) {
        this.result = result;
        this.timeline = result.timeline();
        this.window = timeline.window();
        this.lanes = new ArrayList<>();
        int top = LANES_TOP;
        for (int i = 0; i < result.options().processes(); i++) {
            Lane lane = Lane.of(i, top, window);
            lanes.add(lane);
            top = lane.bottom() + LANE_GAP;
        }
    }

    /** A whole SVG document, which needs nothing else. */
    static String of(SimulationResult result) {
        return new TimelineSvg(result).draw();
    }

    private String draw() {
        int axis = lanes.get(lanes.size() - 1).bottom() + LANE_GAP;
        int height = axis + 104;
        svg.open(WIDTH, height, title() + ". " + caption());
        svg.text("baton-title", 8, 22, "start", title());
        wholeRun();
        svg.text("baton-note", 8, LANES_TOP - 18, "start", caption());
        bands(LANES_TOP - 6, axis);
        lanes.forEach(this::lane);
        handOvers();
        axis(axis);
        legend(axis + 44);
        return svg.close();
    }

    private String title() {
        SimulationOptions options = result.options();
        return String.format(
                Locale.ROOT,
                "%s: %d processes × %d threads, %d acquisitions in %d s, %d overlaps",
                options.locked() ? "With the lock" : "WITHOUT a lock",
                options.processes(),
                options.threads(),
                timeline.turns(),
                options.duration().toSeconds(),
                timeline.sums().overlaps());
    }

    private String caption() {
        if (window.turns().isEmpty()) {
            return "The server was never held";
        }
        return String.format(
                Locale.ROOT,
                "Turn by turn, %s: %d of %d turns, which began within %s, from %s after the start",
                window.what(),
                window.begun(),
                timeline.turns(),
                millis(window.to() - window.from()),
                millis(window.from() - timeline.start()));
    }

    private void wholeRun() {
        double most = 1;
        for (List<Double> slice : timeline.shares()) {
            double sum = 0;
            for (double share : slice) {
                sum += share;
            }
            most = Math.max(most, sum);
        }
        svg.text(
                "baton-note",
                8,
                RUN_TOP - 12,
                "start",
                "The whole run: the share of each "
                        + millis(timeline.length() / Timeline.SLICES)
                        + " for which each process held the server"
                        + (most > 1.005
                                ? String.format(Locale.ROOT, "; up to %.0f %%: several holders at a time", 100 * most)
                                : ""));
        double slice = (double) (RIGHT - LEFT) / Timeline.SLICES;
        svg.rect("baton-ground", LEFT, RUN_TOP, RIGHT - LEFT, RUN_HEIGHT, "");
        for (int i = 0; i < Timeline.SLICES; i++) {
            double bottom = RUN_TOP + RUN_HEIGHT;
            for (int process = 0; process < lanes.size(); process++) {
                double part = timeline.shares().get(i).get(process) / most * RUN_HEIGHT;
                bottom -= part;
                if (part > 0) {
                    svg.rect(colour(process), LEFT + i * slice, bottom, slice, part, "");
                }
            }
        }
        double full = RUN_TOP + RUN_HEIGHT * (1 - 1 / most);
        svg.line("baton-full", LEFT, full, RIGHT, full);
        svg.text("baton-label", LEFT - 8, full + 4, "end", "100 %");
        if (!window.turns().isEmpty()) {
            double from = LEFT + share(window.from()) * (RIGHT - LEFT);
            double to = Math.max(from + 2, LEFT + share(window.to()) * (RIGHT - LEFT));
            svg.path(
                    "baton-lens",
                    String.format(
                            Locale.ROOT,
                            "M%.1f %d L%d %d L%d %d L%.1f %d Z",
                            from,
                            RUN_TOP + RUN_HEIGHT,
                            LEFT,
                            LANES_TOP - 34,
                            RIGHT,
                            LANES_TOP - 34,
                            to,
                            RUN_TOP + RUN_HEIGHT));
            svg.rect("baton-here", from, RUN_TOP - 3, to - from, RUN_HEIGHT + 3, "");
        }
    }

    private double share(long time) {
        return Math.max(0, Math.min(1, (double) (time - timeline.start()) / timeline.length()));
    }

    private void bands(int top, int bottom) {
        for (Timeline.Span gap : window.gaps()) {
            svg.rect(
                    "baton-gap",
                    x(gap.from()),
                    top,
                    x(gap.to()) - x(gap.from()),
                    bottom - top,
                    data(gap.from(), gap.to())
                            + SvgText.title("free for " + millis(gap.to() - gap.from()) + " although threads waited"));
        }
        for (Timeline.Span overlap : window.overlaps()) {
            svg.rect(
                    "baton-overlap",
                    x(overlap.from()),
                    top,
                    Math.max(1, x(overlap.to()) - x(overlap.from())),
                    bottom - top,
                    data(overlap.from(), overlap.to())
                            + SvgText.title("several holders for " + millis(overlap.to() - overlap.from())));
        }
    }

    private void lane(Lane lane) {
        svg.text(
                "baton-label",
                LEFT - 8,
                (lane.top() + lane.bottom()) / 2.0 + 4,
                "end",
                "process " + (lane.process() + 1));
        svg.line("baton-lane", LEFT, lane.bottom() + 2, RIGHT, lane.bottom() + 2);
        for (Timeline.Span wait : lane.waits()) {
            svg.rect("baton-wait", x(wait.from()), lane.bottom() - 1, x(wait.to()) - x(wait.from()), 3, "");
        }
        for (Lane.Held held : lane.holds()) {
            Turn turn = held.turn();
            svg.rect(
                    "baton-hold " + colour(lane.process()),
                    x(turn.started()),
                    lane.top() + (double) held.row() * ROW,
                    Math.max(0.8, x(turn.ended()) - x(turn.started())),
                    ROW - 3,
                    " data-process=\"" + (lane.process() + 1) + "\"" + data(turn.started(), turn.ended())
                            + SvgText.title("process " + (lane.process() + 1) + " held the server for "
                                    + millis(turn.ended() - turn.started()) + " after a wait of "
                                    + millis(turn.started() - turn.asked())));
        }
    }

    private void handOvers() {
        for (Timeline.HandOver handOver : window.handOvers()) {
            Lane from = lanes.get(handOver.fromProcess());
            Lane to = lanes.get(handOver.toProcess());
            double y1 = from.top() + (ROW - 3) / 2.0;
            double y2 = to.top() + (ROW - 3) / 2.0;
            svg.path(
                    handOver.local() ? "baton-pass baton-local" : "baton-pass",
                    String.format(
                            Locale.ROOT, "M%.2f %.1f L%.2f %.1f", x(handOver.ended()), y1, x(handOver.started()), y2));
            svg.circle("baton-receipt", x(handOver.started()), y2, 2);
        }
    }

    private void axis(int y) {
        svg.line("baton-axis", LEFT, y, RIGHT, y);
        long length = window.to() - window.from();
        if (length <= 0) {
            return;
        }
        long step = 1; // 1, 2, 5, 10, 20, ...
        for (int i = 0; length / step > 10; i++) {
            step = i % 3 == 1 ? step / 2 * 5 : step * 2;
        }
        for (long at = 0; at <= length; at += step) {
            double x = x(window.from() + at);
            svg.line("baton-axis", x, y, x, y + 5);
            svg.text("baton-label", x, y + 19, "middle", trimmed(at / 1e6));
        }
        svg.text("baton-label", LEFT - 8, y + 19, "end", "ms");
    }

    private void legend(int y) {
        Course.Sums sums = timeline.sums();
        double x = 8;
        x = entry(x, y, "baton-hold baton-0", "holds, by process");
        x = entry(x, y, "baton-wait", "waiting");
        x = entry(x, y, "baton-gap", "free with waiters");
        x = entry(x, y, "baton-receipt", "hand-over to a waiter");
        if (!window.overlaps().isEmpty()) {
            entry(x, y, "baton-overlap", "several holders");
        }
        svg.text(
                "baton-note",
                8,
                y + 26,
                "start",
                String.format(
                        Locale.ROOT,
                        "The whole run: %d hand-overs between processes, %d within a process; free with waiters %.1f %% of the time,"
                                + " for %s at the longest.",
                        sums.remoteHandOvers(),
                        sums.localHandOvers(),
                        percent(sums.gapNanos()),
                        millis(sums.longestGapNanos())));
        svg.text(
                "baton-note",
                8,
                y + 44,
                "start",
                "A turn is drawn from its first to its last act on the server. Release,"
                        + " message and wake-up are in the gap after it."
                        + (sums.overlaps() > 0
                                ? String.format(
                                        Locale.ROOT,
                                        " It had several holders %.1f %% of the time.",
                                        percent(sums.overlapNanos()))
                                : ""));
    }

    private double entry(double x, int y, String style, String text) {
        svg.rect(style, x, y - 10, 16, 11, "");
        svg.text("baton-label", x + 22, y, "start", text);
        return x + 46 + 6.6 * text.length();
    }

    private double percent(long nanos) {
        return 100.0 * nanos / timeline.length();
    }

    private double x(long time) {
        double part = (double) (time - window.from()) / Math.max(1, window.to() - window.from());
        return LEFT + Math.max(0, Math.min(1, part)) * (RIGHT - LEFT);
    }

    /** From the start of the run, in nanoseconds: exact, where what is drawn is rounded. */
    private String data(long from, long to) {
        return " data-from=\"" + (from - timeline.start()) + "\" data-to=\"" + (to - timeline.start()) + "\"";
    }

    private static String colour(int process) {
        return "baton-" + process % COLOURS;
    }

    private static String millis(long nanos) {
        return (nanos >= 100_000_000 ? String.valueOf(nanos / 1_000_000) : trimmed(Math.round(nanos / 1e4) / 1e2))
                + " ms";
    }

    private static String trimmed(double number) {
        String text = String.format(Locale.ROOT, "%.6f", number);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
