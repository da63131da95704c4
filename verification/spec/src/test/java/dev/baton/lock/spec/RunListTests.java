package dev.baton.lock.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the list of runs: its syntax, and that each rule of a model has a run that needs it. */
class RunListTests {

    /** A rule of a protocol in a configuration file, which a run can switch off. */
    private static final Pattern RULE =
            Pattern.compile("(?m)^  (Fix\\w+|FreshId|StandInAll|HeadOfAll|LastBusy|Tombstone) = TRUE$");

    @Test
    void lineDescribesARun() throws IOException {
        Run run = Run.of("g-x full Grant | FixRun=FALSE N=3 | Fifo | Fifo");

        assertThat(run.quick()).isFalse();
        assertThat(run.configuration())
                .contains("  FixRun = FALSE", "  N = 3", "SPECIFICATION Spec", "INVARIANT Fifo")
                .doesNotContain("  FixRun = TRUE")
                .noneMatch(line -> line.startsWith("INVARIANTS"));
    }

    @Test
    void temporalPropertyNeedsFairness() throws IOException {
        assertThat(Run.of("g-x full Grant | | NoLostWakeUp | NoLostWakeUp").configuration())
                .contains("SPECIFICATION FairSpec", "PROPERTY NoLostWakeUp")
                .doesNotContain("SPECIFICATION Spec");
    }

    @Test
    void constantThatTheModelDoesNotHaveIsRefused() {
        Run run = Run.of("g-x full Grant | FixNothing=FALSE | Fifo | Fifo");

        assertThatThrownBy(run::configuration).hasMessageContaining("FixNothing");
    }

    @Test
    void namesAreUnique() throws IOException {
        assertThat(Run.all()).extracting(Run::name).doesNotHaveDuplicates();
    }

    @Test
    void eachRunHasAConfigurationAndAResult() throws IOException {
        for (Run run : Run.all()) {
            assertThat(run.configuration()).isNotEmpty();
            assertThat(run.expected()).matches("ok \\d+|\\w+");
            assertThat(run.expected().startsWith("ok") || run.properties().contains(run.expected()))
                    .as("%s checks the property that it expects to be violated", run)
                    .isTrue();
        }
    }

    @Test
    void eachRuleIsNeededByARun() throws IOException {
        Set<String> rules = new HashSet<>();
        for (String module : modules()) {
            Matcher rule = RULE.matcher(Files.readString(Run.MODELS.resolve(module + ".cfg")));
            while (rule.find()) {
                rules.add(module + " " + rule.group(1));
            }
        }
        Set<String> broken = Run.all().stream()
                .filter(run -> !run.expected().startsWith("ok"))
                .flatMap(run -> run.constants().entrySet().stream()
                        .filter(constant -> constant.getValue().equals("FALSE"))
                        .map(constant -> run.module() + " " + constant.getKey()))
                .collect(Collectors.toSet());

        assertThat(broken).containsAll(rules);
    }

    private static List<String> modules() throws IOException {
        try (Stream<Path> files = Files.list(Run.MODELS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".cfg"))
                    .map(name -> name.replace(".cfg", ""))
                    .sorted()
                    .toList();
        }
    }
}
