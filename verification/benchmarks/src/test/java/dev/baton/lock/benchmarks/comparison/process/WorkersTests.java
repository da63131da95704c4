package dev.baton.lock.benchmarks.comparison.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.harness.TestRedis;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class WorkersTests {

    private static final Relay RELAY = new Relay(4, 5_000, 0);

    @Test
    void contenderThatCannotHandOverDoesNotDisturbTheNext() {
        try (TestRedis redis = TestRedis.start();
                Workers workers = Workers.start(2, false, redis)) {
            List.of(Contestant.SHEDLOCK, Contestant.BATON).forEach(workers::open);

            assertThatExceptionOfType(ContenderFailure.class)
                    .isThrownBy(() -> workers.relay(Contestant.SHEDLOCK, "first", RELAY));
            assertThat(workers.relay(Contestant.BATON, "second", RELAY))
                    .hasSize(4)
                    .allSatisfy(micros -> assertThat(micros).isPositive());
        }
    }

    @Test
    void contenderThatCannotTakeItsTurnDoesNotDisturbTheNext() {
        try (TestRedis redis = TestRedis.start();
                Workers workers = Workers.start(2, false, redis)) {
            List.of(Contestant.SHEDLOCK, Contestant.BATON).forEach(workers::open);
            assertThatExceptionOfType(ContenderFailure.class)
                    .isThrownBy(() -> workers.relay(Contestant.SHEDLOCK, "taken", RELAY));

            assertThatExceptionOfType(ContenderFailure.class)
                    .isThrownBy(() -> workers.turns(Contestant.SHEDLOCK, Relay.name("taken", 1), 1, 1));
            assertThat(workers.turns(Contestant.BATON, "free", 2, 1)).isPositive();
        }
    }
}
