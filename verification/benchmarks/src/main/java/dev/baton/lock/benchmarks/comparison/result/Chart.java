package dev.baton.lock.benchmarks.comparison.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars with their quartiles, as SVG. Not thread-safe. */
public final class Chart {

    private static final int LABEL_WIDTH = 330;
    private static final int BAR_WIDTH = 420;
    private static final int ROW = 24;
    private static final int TOP = 46;
    // more than so many times between the ends: the small ones could not be seen
    private static final double LOGARITHMIC_FROM = 30;

    private final String title;
    private final Metric metric;
    private final List<Bar> bars = new ArrayList<>();

    /** An empty chart. */
    public Chart(String title, Metric metric) {
        this.title = title;
        this.metric = metric;
    }

    /** Adds a bar. */
    public Chart bar(String label, Spread spread) {
        bars.add(new Bar(label.replace("`", ""), spread));
        return this;
    }

    /** Whether there is nothing to see. */
    public boolean isEmpty() {
        return bars.isEmpty();
    }

    @Override
    public String toString() {
        int width = LABEL_WIDTH + BAR_WIDTH + 90;
        int height = TOP + ROW * bars.size() + 12;
        StringBuilder svg =
                new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                <text x="12" y="20" font-size="15" font-weight="bold">%s</text>
                <text x="12" y="37" fill="#666666">%s</text>
                """.formatted(width, height, width, height, escaped(title), escaped(subtitle())));
        for (int i = 0; i < bars.size(); i++) {
            svg.append(row(bars.get(i), TOP + i * ROW));
        }
        return svg.append("</svg>\n").toString();
    }

    private String subtitle() {
        return metric.title() + ": median and quartiles" + (logarithmic() ? ", logarithmic" : "");
    }

    private String row(Bar bar, int y) {
        double end = at(bar.spread.median());
        return String.format(
                Locale.ROOT,
                """
                <text x="%d" y="%d" text-anchor="end">%s</text>
                <rect x="%d" y="%d" width="%.1f" height="16" fill="%s"/>
                <path d="M%.1f %d h%.1f" stroke="#333333" stroke-width="2"/>
                <text x="%.1f" y="%d">%s</text>
                """,
                LABEL_WIDTH - 8,
                y + 13,
                escaped(bar.label),
                LABEL_WIDTH,
                y,
                end,
                bar.label.startsWith("Baton") ? "#2a7de1" : "#b8bec6",
                LABEL_WIDTH + at(bar.spread.low()),
                y + 8,
                at(bar.spread.high()) - at(bar.spread.low()),
                LABEL_WIDTH + Math.max(end, at(bar.spread.high())) + 6,
                y + 13,
                metric.format(bar.spread.median()));
    }

    private double at(double value) {
        if (logarithmic()) {
            double from = Math.log(least() / 2);
            return BAR_WIDTH * (Math.log(Math.max(value, least() / 2)) - from) / (Math.log(most()) - from);
        }
        return most() == 0 ? 0 : BAR_WIDTH * value / most();
    }

    private boolean logarithmic() {
        return least() > 0 && most() / least() > LOGARITHMIC_FROM;
    }

    private double least() {
        return bars.stream().mapToDouble(bar -> bar.spread.median()).min().orElse(0);
    }

    private double most() {
        return bars.stream().mapToDouble(bar -> bar.spread.high()).max().orElse(0);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private record Bar(String label, Spread spread) {}
}
