package dev.baton.sample.simulate;

/**
 * What a run has shown.
 *
 * @param options what was simulated
 * @param commands what Redis did meanwhile, for everybody who uses it
 */
record SimulationResult(SimulationOptions options, Findings findings, CommandCounts commands, Timeline timeline) {

    boolean holds() {
        return findings.verdicts().stream().allMatch(Findings.Verdict::holds);
    }
}
