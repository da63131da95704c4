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

/** Tests that a link of a page leads to a file of the repository, and to a heading that this file has. */
class LinkTests {

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Path page) throws IOException {
        assertThat(dead(page)).as("dead links of %s", Pages.name(page)).isEmpty();
    }

    @Test
    void deadLinksAreFound() throws IOException {
        Path page = Pages.ROOT.resolve("README.md");
        assertThat(Links.problem(page, "docs/nothing.md")).contains("docs/nothing.md");
        assertThat(Links.problem(page, "docs/guarantees.md#no-such-heading")).contains("no-such-heading");
        assertThat(Links.problem(page, "#no-such-heading")).contains("no-such-heading");
    }

    @Test
    void linksInCodeDoNotCount() {
        assertThat(Links.targets(
                        List.of("[a](b.md) `[c](d.md)` [`e`](f.md#g)", "```", "[h](i.md)", "```", "[j](k.md)")))
                .containsExactly("b.md", "f.md#g", "k.md");
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        assertThat(Links.anchors(
                        List.of("# One: `two` & three", "## Same", "## Same", "<a id=\"named\"></a>", "```", "# no")))
                .containsExactlyInAnyOrder("one-two--three", "same", "same-1", "named");
    }

    static List<Path> pages() throws IOException {
        return Pages.all();
    }

    private static List<String> dead(Path page) throws IOException {
        List<String> dead = new ArrayList<>();
        for (String target : Links.targets(Files.readAllLines(page))) {
            String problem = Links.problem(page, target);
            if (!problem.isEmpty()) {
                dead.add(target + ": " + problem);
            }
        }
        return dead;
    }
}
