package dev.baton.lock.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when a run fails, and the lines that it prints. */
class MutationReportTests {

    private static final Mutant DELETED = new Mutant("x.lua | f() | delete", "x.lua", 7, "f()", "delete", "do end");

    @Test
    void killedMutantIsNoComplaint() {
        MutationReport report = new MutationReport(Map.of());
        report.killed(DELETED, "ATests.finds: because");
        assertThat(report.complaints()).isEmpty();
        assertThat(report).hasToString("1 mutants: 1 killed, 0 accepted, 0 unexplained");
    }

    @Test
    void survivorWithoutAReasonIsAComplaint() {
        MutationReport report = new MutationReport(Map.of());
        report.survived(DELETED);
        assertThat(report.complaints()).containsExactly("survived without a reason: x.lua | f() | delete");
        assertThat(report.toString()).startsWith("SURVIVED x.lua:7: f()\n      delete\n");
    }

    @Test
    void survivorWithAReasonIsPrintedWithIt() {
        MutationReport report =
                new MutationReport(AcceptedSurvivors.parse("# why\n\nx.lua | f() | delete\n  does\n  nothing\n"));
        report.survived(DELETED);
        assertThat(report.complaints()).isEmpty();
        assertThat(report.toString())
                .contains("accepted x.lua:7", "because does nothing")
                .endsWith("1 mutants: 0 killed, 1 accepted, 0 unexplained");
    }

    @Test
    void acceptedMutantThatATestFindsIsAComplaint() {
        MutationReport report = new MutationReport(Map.of(DELETED.id(), "does nothing"));
        report.killed(DELETED, "ATests.finds: because");
        assertThat(report.complaints())
                .containsExactly("accepted, but a test finds it: x.lua | f() | delete: ATests.finds: because");
    }

    @Test
    void acceptedMutantThatIsNotTriedIsNoComplaint() {
        MutationReport report = new MutationReport(Map.of(DELETED.id(), "does nothing"));
        assertThat(report.isAccepted(DELETED)).isTrue();
        report.leftOut(DELETED);
        assertThat(report.complaints()).isEmpty();
        assertThat(report)
                .hasToString("0 mutants: 0 killed, 0 accepted, 0 unexplained, and 1 accepted that were left out");
    }

    @Test
    void acceptedMutantThatNoLongerExistsIsAComplaint() {
        assertThat(new MutationReport(Map.of("y.lua | g() | delete", "does nothing")).complaints())
                .containsExactly("accepted, but there is no such mutant: y.lua | g() | delete");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a | b | c\n", "a | b | c\nd | e | f\n  why\n", "  why\n", "a\n  why\na\n  why\n"})
    void reasonIsRequiredAndBelongsToOneMutant(String file) {
        assertThatIllegalArgumentException().isThrownBy(() -> AcceptedSurvivors.parse(file));
    }
}
