package dev.baton.lock.engine.cohort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.time.LeaseClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassBudgetTests {

    private static final long NOW = ManualTime.START;
    private static final long LEASE = Duration.ofSeconds(30).toNanos();
    private static final long MAX_TIME = Duration.ofMillis(20).toNanos();
    private static final long END = LeaseClock.end(NOW, LEASE);
    private static final CohortPolicy POLICY = new CohortPolicy(4, MAX_TIME);

    private final PassBudget passes = new PassBudget(POLICY, new Grant(200, 4, NOW, END));

    @Test
    void passesHaveTheTokensAfterTheTokenOfTheGrant() {
        assertThat(passes.pass()).isEqualTo(201);
        assertThat(passes.pass()).isEqualTo(202);
    }

    @Test
    void passesEndWithTheReservedTokens() {
        PassBudget few = new PassBudget(POLICY, new Grant(200, 1, NOW, END));
        assertThat(few.mayPass(END, LEASE, NOW)).isTrue();
        few.pass();
        assertThat(few.mayPass(END, LEASE, NOW)).isFalse();
    }

    @Test
    void passesEndWhenTheMaximumTimeHasPassed() {
        assertThat(passes.mayPass(END, LEASE, NOW + MAX_TIME - 1)).isTrue();
        assertThat(passes.mayPass(END, LEASE, NOW + MAX_TIME)).isFalse();
    }

    @Test
    void onlyOneExtensionIsUnderWay() {
        passes.pass();
        assertThat(passes.ask(LEASE, NOW)).isFalse();
        passes.pass();
        assertThat(passes.ask(LEASE, NOW)).isTrue();
        passes.pass();
        assertThat(passes.ask(LEASE, NOW)).isFalse();
        passes.more(1_000, 4, NOW);
        assertThat(passes.ask(LEASE, NOW))
                .as("only one pass since the last request")
                .isFalse();
        passes.pass();
        assertThat(passes.ask(LEASE, NOW)).isTrue();
    }

    @Test
    void passesDuringAnExtensionCountAgainstTheNewTokens() {
        pass(2);
        passes.ask(LEASE, NOW);
        assertThat(passes.pass()).isEqualTo(203);
        passes.more(1_000, 4, NOW);
        assertThat(passes.pass()).isEqualTo(1_002);
        pass(2);
        assertThat(passes.mayPass(END, LEASE, NOW)).isFalse();
    }

    @Test
    void newTokensAreLimitedToTheReservedNumber() {
        pass(2);
        passes.ask(LEASE, NOW);
        passes.more(1_000, 3, NOW);
        pass(2);
        assertThat(passes.mayPass(END, LEASE, NOW)).isTrue();
        pass(1);
        assertThat(passes.mayPass(END, LEASE, NOW)).isFalse();
    }

    @Test
    void extensionRestartsTheTimeFromItsRequest() {
        pass(2);
        long askedAt = NOW + MAX_TIME / 2;
        passes.ask(LEASE, askedAt);
        passes.more(1_000, 4, askedAt);
        assertThat(passes.mayPass(END, LEASE, askedAt + MAX_TIME - 1)).isTrue();
        assertThat(passes.mayPass(END, LEASE, askedAt + MAX_TIME)).isFalse();
    }

    @Test
    void ticketIsExtendedAtMost31Times() {
        for (int i = 1; i <= 31; i++) {
            pass(2);
            assertThat(passes.ask(LEASE, NOW)).as("extension %d", i).isTrue();
            passes.more(1_000L * i, 4, NOW);
        }
        pass(2);
        assertThat(passes.ask(LEASE, NOW)).isFalse();
    }

    private void pass(int count) {
        for (int i = 0; i < count; i++) {
            passes.pass();
        }
    }
}
