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
}
