package dev.baton.sample.simulate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings from the turns of all processes.
 *
 * @param counter what the unprotected counter said at the end
 * @param turnsOfProcess how many each process had
 * @param overlaps how many turns began before all earlier ones had ended
 * @param handOvers sorted, in nanoseconds: from the end of a turn to the start of the next, where that was in another
 *     process which already waited
 * @param waits sorted, in nanoseconds: from asking to the start
 */
record Findings(long counter, List<Integer> turnsOfProcess, long overlaps, List<Long> handOvers, List<Long> waits) {

    /** A process may have had this much more than another. */
    private static final double FAIR = 1.2;

    static Findings of(List<Turn> turns, int processes, long counter) {
        List<Integer> turnsOfProcess = new ArrayList<>(Collections.nCopies(processes, 0));
        List<Long> handOvers = new ArrayList<>();
        long overlaps = 0;
        Turn last = null; // the one that ended last so far
        for (Turn turn : sorted(turns)) {
            turnsOfProcess.set(turn.process(), turnsOfProcess.get(turn.process()) + 1);
            if (last != null && turn.started() < last.ended()) {
                overlaps++;
            } else if (last != null && turn.process() != last.process() && turn.asked() < last.ended()) {
                handOvers.add(turn.started() - last.ended());
            }
            last = laterEnd(last, turn);
        }
        Collections.sort(handOvers);
        List<Long> waits = turns.stream()
                .map(turn -> turn.started() - turn.asked())
                .sorted()
                .toList();
        return new Findings(counter, turnsOfProcess, overlaps, handOvers, waits);
    }

    private static List<Turn> sorted(List<Turn> turns) {
        return turns.stream().sorted(Comparator.comparingLong(Turn::started)).toList();
    }

    private static Turn laterEnd(@Nullable Turn last, Turn turn) {
        return last == null || turn.ended() > last.ended() ? turn : last;
    }

    long turns() {
        return waits.size();
    }

    /** Returns the conditions that must hold, and for each one whether it does. */
    List<Verdict> verdicts() {
        int least = Collections.min(turnsOfProcess);
        int most = Collections.max(turnsOfProcess);
        return List.of(
                new Verdict(overlaps == 0, "never two at a time: " + overlaps + " overlaps"),
                new Verdict(
                        counter == turns(), "the counter is right: " + counter + " after " + turns() + " acquisitions"),
                new Verdict(least > 0, "every process was served: at least " + least + " times each"),
                new Verdict(
                        least > 0 && most <= FAIR * least,
                        "within 20 % of each other: " + least + " to " + most + " acquisitions"));
    }

    /** The value that this share of the sorted ones does not exceed; zero if there are none. */
    static long percentile(List<Long> sorted, double share) {
        return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }

    record Verdict(boolean holds, String text) {}
}
