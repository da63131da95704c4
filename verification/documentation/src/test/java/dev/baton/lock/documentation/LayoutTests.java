package dev.baton.lock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that pages are read without scrolling: lines of at most 120 columns, and a README of at most 150 lines. A row of
 * a table in a decision may be longer.
 */
class LayoutTests {

    @ParameterizedTest
    @MethodSource("pages")
    void linesHaveAtMost120Columns(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);
        List<String> tooLong = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean row = lines.get(i).startsWith("|") && Pages.name(page).startsWith("docs/decisions/");
            if (!row && lines.get(i).codePointCount(0, lines.get(i).length()) > 120) {
                tooLong.add(Pages.name(page) + ":" + (i + 1));
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void readmeHasAtMost150Lines() throws IOException {
        assertThat(Files.readAllLines(Pages.ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
    }

    static List<Path> pages() throws IOException {
        return Pages.all();
    }
}
