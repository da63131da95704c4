package dev.baton.lock.benchmarks.comparison.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Player;
import dev.baton.lock.harness.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RallyTests {

    @Test
    void firstPlayerBeginsAndTheOtherPassesNoTurnAtTheEnd() throws InterruptedException {
        Rally rally = new Rally(4);

        Recorded first = new Recorded();
        assertThat(rally.play(first, 0)).hasSize(2);
        assertThat(first.calls).containsExactly("pass", "await", "pass", "close");
        Recorded other = new Recorded();
        assertThat(rally.play(other, 1)).hasSize(2);
        assertThat(other.calls).containsExactly("await", "pass", "await", "close");
    }

    @Test
    void turnsAreTimedAcrossBothProcesses() {
        List<long[]> began = List.of(new long[] {1_000, 9_000}, new long[] {4_000, 10_000});
        assertThat(new Rally(4).micros(began)).containsExactly(3.0, 5.0, 1.0);
    }

    @Test
    void turnThatIsNotItsOwnIsAFailure() {
        List<long[]> began = List.of(new long[] {1_000, 3_000}, new long[] {4_000, 10_000});
        assertThatExceptionOfType(ContenderFailure.class)
                .isThrownBy(() -> new Rally(4).micros(began))
                .withMessage("turn 2 began before turn 1");
    }

    @Test
    @Tag("once")
    void contenderThatCannotPlayDoesNotDisturbTheNext() {
        try (TestRedis redis = TestRedis.start();
                Workers workers = Workers.start(2, false, redis)) {
            List.of(Contestant.SHEDLOCK, Contestant.BATON, Contestant.TOKEN_LIST)
                    .forEach(workers::open);

            assertThatExceptionOfType(ContenderFailure.class)
                    .isThrownBy(() -> workers.rally(Contestant.SHEDLOCK, "first", new Rally(4)));
            assertThat(workers.rally(Contestant.BATON, "second", new Rally(20))).hasSize(19);
            assertThat(workers.rally(Contestant.TOKEN_LIST, "third", new Rally(20)))
                    .hasSize(19);
        }
    }

    private static final class Recorded implements Player {

        private final List<String> calls = new ArrayList<>();

        @Override
        public void await() {
            calls.add("await");
        }

        @Override
        public void pass() {
            calls.add("pass");
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
