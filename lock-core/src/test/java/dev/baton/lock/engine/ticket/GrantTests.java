package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.OnLost;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GrantTests {

    private final Claim claim = new Claim("i:1", TestEngine.waits(Duration.ofSeconds(10)), 0);

    private GrantDetails granted() {
        return Objects.requireNonNull(claim.granted(7, 100, 5)).details(claim, OnLost.THROW);
    }

    @Test
    void grantAtOnceIsNotContended() {
        assertThat(granted().contended()).isFalse();
    }

    @Test
    void messageThatOvertakesTheBusyAnswerTellsOfContentionToo() {
        claim.told();
        assertThat(granted().contended()).isTrue();
    }

    @Test
    void messageForTheBlockOfItsCohortTellsOfContentionToo() {
        Claim block = new Claim("i:2", TestEngine.waits(Duration.ofSeconds(10)), 0);
        Grant grant = Objects.requireNonNull(block.granted(7, 100, 5));
        block.told();
        claim.granted(block, new Grant(grant, 0, 5), null, null);
        assertThat(Objects.requireNonNull(claim.grant())
                        .details(claim, OnLost.THROW)
                        .contended())
                .isTrue();
    }
}
