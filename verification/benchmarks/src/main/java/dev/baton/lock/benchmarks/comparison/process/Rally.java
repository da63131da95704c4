package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.benchmarks.comparison.contender.Player;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Two processes that hand a turn to each other. The second one joins first and waits; the first one has the first turn.
 *
 * @param turns the number of turns of both together: even, and at least 2
 */
public record Rally(int turns) {

    /**
     * Does the part of one process.
     *
     * @param me 0 for the process that has the first turn, 1 for the other
     * @return the moment at which each of its turns began
     */
    long[] play(Player player, int me) throws InterruptedException {
        try (player) {
            long[] began = new long[turns / 2];
            for (int i = 0; i < began.length; i++) {
                if (me == 1 || i > 0) {
                    player.await();
                }
                began[i] = System.nanoTime();
                if (me == 0 || i < began.length - 1) {
                    player.pass();
                }
            }
            return began;
        }
    }

    /**
     * Returns the microseconds from the beginning of each turn to that of the next one.
     *
     * @param began the beginnings of the turns of each of the two processes
     * @throws ContenderFailure if a turn did not begin after the turn before it: then a process had a turn that was not its
     *     own
     */
    List<Double> micros(List<long[]> began) {
        return IntStream.range(1, turns)
                .mapToObj(turn -> {
                    long nanos = began(began, turn) - began(began, turn - 1);
                    if (nanos <= 0) {
                        throw new ContenderFailure("turn " + turn + " began before turn " + (turn - 1));
                    }
                    return nanos / 1e3;
                })
                .toList();
    }

    private static long began(List<long[]> began, int turn) {
        return began.get(turn % 2)[turn / 2];
    }
}
