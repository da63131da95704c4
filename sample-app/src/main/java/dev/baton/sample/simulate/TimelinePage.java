package dev.baton.sample.simulate;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The picture of a run and its figures, as a file for a browser. */
final class TimelinePage {

    private static final String PAGE = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Turns on the server</title>
        <style>
        :root { color-scheme: light dark; }
        body { margin: 1rem auto; max-width: 1200px; padding: 0 1rem; background: #fff; color: #1c2430;
          font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        .wide { overflow-x: auto; } svg { min-width: 760px; width: 100%; display: block; }
        pre { overflow-x: auto; }
        @media (prefers-color-scheme: dark) { body { background: #161c24; color: #e8ecf2; } }
        </style>
        </head>
        <body>
        <h1>Turns on the server</h1>
        <div class="wide" tabindex="0" role="region" aria-label="timeline">
        SVG</div>
        <pre>
        FIGURES</pre>
        </body>
        </html>
        """;

    private TimelinePage() {}

    static String of(SimulationResult result, String svg) {
        ByteArrayOutputStream figures = new ByteArrayOutputStream();
        new ResultTable(new PrintStream(figures, true, StandardCharsets.UTF_8))
                .print(result.findings(), result.commands(), result.options().duration());
        return PAGE.replace("SVG", svg).replace("FIGURES", figures.toString(StandardCharsets.UTF_8));
    }
}
