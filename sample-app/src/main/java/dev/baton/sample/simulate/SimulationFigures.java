package dev.baton.sample.simulate;

import java.util.List;

/**
 * The figures of a run, for the page.
 *
 * @param locked whether it was with the lock
 * @param acquisitionsOfProcess by the number of the process
 * @param handOverMillis p50 and p99 of those between processes; empty: there were none
 * @param waitMillis p50 and p99; empty: there were no acquisitions
 * @param gapMillis the total time for which the server was free although a thread waited
 * @param verdicts what must hold, each with whether it does
 */
record SimulationFigures(
        int id,
        boolean locked,
        long acquisitions,
        double acquisitionsPerSecond,
        List<Integer> acquisitionsOfProcess,
        long handOversBetweenProcesses,
        long handOversWithinOne,
        List<Double> handOverMillis,
        List<Double> waitMillis,
        double gapMillis,
        double longestGapMillis,
        long overlaps,
        double overlapMillis,
        long counter,
        double scriptCallsPerAcquisition,
        double publishesPerAcquisition,
        boolean holds,
        List<Findings.Verdict> verdicts) {

    static SimulationFigures of(int id, SimulationResult result) {
        Findings findings = result.findings();
        Course.Sums sums = result.timeline().sums();
        double turns = Math.max(1, findings.turns());
        return new SimulationFigures(
                id,
                result.options().locked(),
                findings.turns(),
                findings.turns() * 1e9 / result.options().duration().toNanos(),
                findings.turnsOfProcess(),
                sums.remoteHandOvers(),
                sums.localHandOvers(),
                percentiles(findings.handOvers()),
                percentiles(findings.waits()),
                sums.gapNanos() / 1e6,
                sums.longestGapNanos() / 1e6,
                findings.overlaps(),
                sums.overlapNanos() / 1e6,
                findings.counter(),
                result.commands().scripts() / turns,
                result.commands().publishes() / turns,
                result.holds(),
                findings.verdicts());
    }

    private static List<Double> percentiles(List<Long> sorted) {
        return sorted.isEmpty()
                ? List.of()
                : List.of(Findings.percentile(sorted, 0.5) / 1e6, Findings.percentile(sorted, 0.99) / 1e6);
    }
}
