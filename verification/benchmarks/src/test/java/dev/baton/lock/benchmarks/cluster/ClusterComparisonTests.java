package dev.baton.lock.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the comparison runs, and has a figure for each contender. */
class ClusterComparisonTests {

    @Test
    void quickRunHasARowForEachContender(@TempDir Path folder) throws Exception {
        Path page = folder.resolve("cluster.md");
        ClusterComparison.measure(page, true);
        assertThat(Files.readString(page))
                .contains("A quick run, whose figures mean nothing.")
                .containsPattern("(?m)^\\| Baton, three masters \\| \\d+ \\(\\d+ - \\d+\\) \\| \\d+\\.\\d\\d")
                .containsPattern("(?m)^\\| Redisson, three masters \\| \\d+ \\(\\d+ - \\d+\\) \\| \\d+\\.\\d\\d")
                .containsPattern("(?m)^\\| `PUBLISH`[^|]+\\| \\d+ .+\\| 6.00 \\(6.00 - 6.00\\)");
    }
}
