package dev.baton.sample.simulate;

/**
 * The result of a run.
 *
 * @param options the options of the run
 * @param commands the commands that Redis executed meanwhile, for all its clients
 */
record SimulationResult(SimulationOptions options, Findings findings, CommandCounts commands, Timeline timeline) {

    boolean holds() {
        return findings.verdicts().stream().allMatch(Findings.Verdict::holds);
    }
}
