package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.OnLost;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EntryTests {

    private final Claim claim = new Claim("i:1", TestEngine.waits(Duration.ofSeconds(10)), 0);

    private Entry granted() {
        return Entry.granted(claim, Objects.requireNonNull(claim.granted(7, 0, 100, 5)), OnLost.THROW);
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
        Grant grant = Objects.requireNonNull(block.granted(7, 0, 100, 5));
        block.told();
        claim.granted(block, new Grant(grant, 0, 5), null, null);
        assertThat(Entry.granted(claim, Objects.requireNonNull(claim.grant()), OnLost.THROW)
                        .contended())
                .isTrue();
    }
}
