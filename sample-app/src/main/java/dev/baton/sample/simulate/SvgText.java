package dev.baton.sample.simulate;

import java.util.Locale;

/** Writes the elements of an SVG document. */
final class SvgText {

    /** Each class has a prefix of its own, because the picture is also put into pages. */
    private static final String STYLE = """
        <style>
        .baton-timeline { --ink: #1c2430; --soft: #5a6575; --line: #d5dae1; --ground: #f1f3f6; --paper: #fff; --gap: #f5d90a;
          --c0: #0072b2; --c1: #e69f00; --c2: #009e73; --c3: #cc79a7; --c4: #56b4e9; --c5: #7a5c3e;
          font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        @media (prefers-color-scheme: dark) {
          .baton-timeline { --ink: #e8ecf2; --soft: #a3afbf; --line: #38424f; --ground: #222a34; --paper: #161c24; --gap: #8f7d00;
            --c0: #277fdc; --c5: #bc965d; } }
        .baton-paper { fill: var(--paper); }
        .baton-title { fill: var(--ink); font-size: 16px; font-weight: 600; }
        .baton-note { fill: var(--soft); font-size: 13px; }
        .baton-label { fill: var(--soft); font-size: 12px; }
        .baton-ground { fill: var(--ground); }
        .baton-0 { fill: var(--c0); } .baton-1 { fill: var(--c1); } .baton-2 { fill: var(--c2); }
        .baton-3 { fill: var(--c3); } .baton-4 { fill: var(--c4); } .baton-5 { fill: var(--c5); }
        .baton-full { stroke: var(--ink); stroke-dasharray: 3 3; stroke-opacity: .5; }
        .baton-lens { fill: var(--soft); fill-opacity: .12; }
        .baton-here { fill: none; stroke: var(--ink); }
        .baton-lane { stroke: var(--line); } .baton-axis { stroke: var(--soft); }
        .baton-wait { fill: var(--soft); fill-opacity: .55; }
        .baton-gap { fill: var(--gap); fill-opacity: .45; }
        .baton-overlap { fill: #e5142e; fill-opacity: .38; }
        .baton-pass { stroke: var(--ink); fill: none; } .baton-local { stroke-width: 3; }
        .baton-receipt { fill: var(--ink); }
        </style>
        """;

    private final StringBuilder text = new StringBuilder();

    void open(int width, int height, String description) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"baton-timeline\" viewBox=\"0 0 %d %d\" role=\"img\">%n",
                width,
                height));
        text.append("<title>").append(escaped(description)).append("</title>\n").append(STYLE);
        rect("baton-paper", 0, 0, width, height, "");
    }

    String close() {
        return text.append("</svg>\n").toString();
    }

    /**
     * A rectangle.
     *
     * @param more further attributes, each with a space before it, and after them perhaps a {@link #title}
     */
    void rect(String style, double x, double y, double width, double height, String more) {
        int content = more.indexOf('>');
        text.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"%s%n",
                style,
                x,
                y,
                Math.max(0, width),
                Math.max(0, height),
                content < 0 ? more + "/>" : more + "</rect>"));
    }

    /** Returns the text that is shown when the pointer is on an element. */
    static String title(String content) {
        return "><title>" + escaped(content) + "</title>";
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        text.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>%n",
                style,
                x1,
                y1,
                x2,
                y2));
    }

    void circle(String style, double x, double y, double radius) {
        text.append(String.format(
                Locale.ROOT, "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\"/>%n", style, x, y, radius));
    }

    void path(String style, String path) {
        text.append(String.format(Locale.ROOT, "<path class=\"%s\" d=\"%s\"/>%n", style, path));
    }

    void text(String style, double x, double y, String anchor, String content) {
        text.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">%s</text>%n",
                style,
                x,
                y,
                anchor,
                escaped(content)));
    }

    private static String escaped(String content) {
        return content.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
