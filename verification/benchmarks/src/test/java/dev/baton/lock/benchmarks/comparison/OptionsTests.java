package dev.baton.lock.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionsTests {

    private static final List<Integer> KNOWN = List.of(1, 2, 8);
    private static final Set<Contestant> ALL_CONTENDERS = EnumSet.allOf(Contestant.class);

    @Test
    void allScenariosAreMeasuredInFullByDefault() {
        assertThat(Options.parse(KNOWN))
                .isEqualTo(new Options(false, Set.of(1, 2, 8), ALL_CONTENDERS, Path.of("results")));
    }

    @Test
    void optionsMayHaveAnyOrder() {
        assertThat(Options.parse(KNOWN, "--results=target", "--contenders=BATON,BARE", "--scenarios=8,1", "--quick"))
                .isEqualTo(new Options(
                        true, Set.of(1, 8), EnumSet.of(Contestant.BARE, Contestant.BATON), Path.of("target")));
    }

    @Test
    void unknownOptionsAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(KNOWN, "--fast"))
                .withMessage(
                        "'--fast' is none of --quick, --scenarios=1,4, --contenders=BARE,BATON and --results=FOLDER");
    }

    @Test
    void unknownScenariosAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(KNOWN, "--scenarios=1,7"))
                .withMessageStartingWith("--scenarios names '7'; there are [1, 2, 8]");
    }

    @Test
    void unknownContendersAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(KNOWN, "--contenders=BATON,BARD"))
                .withMessageStartingWith("--contenders names 'BARD'; there are [SOCKET, BARE, ");
    }
}
