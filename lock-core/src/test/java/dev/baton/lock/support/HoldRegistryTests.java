package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldRegistryTests {

    private static final LockName A = new LockName("", "k.a");
    private static final LockName B = new LockName("", "k.b");
    private static final LockName C = new LockName("", "k.c");
    private static final String OWNER = "i:t7";

    private final HoldRegistry holds = new HoldRegistry();

    @Test
    void holdOfSeveralLocksIsFoundByEachLock() {
        ReentrantHold both = hold(List.of(A, B));
        holds.add(both);

        assertThat(holds.find(OWNER, List.of(A))).isSameAs(both);
        assertThat(holds.find(OWNER, List.of(C, B))).isSameAs(both);
        assertThat(holds.find(OWNER, List.of(C))).isNull();
        assertThat(holds.find("i:t8", List.of(A, B))).isNull();
    }

    @Test
    void holdCoversEachOfItsLocks() {
        ReentrantHold both = hold(List.of(A, B));

        assertThat(both.covers(List.of(A))).isTrue();
        assertThat(both.covers(List.of(B, A))).isTrue();
        assertThat(both.covers(List.of(A, C))).isFalse();
    }

    @Test
    void onlyTheSameHoldIsRemoved() {
        ReentrantHold old = hold(List.of(A, B));
        ReentrantHold fresh = hold(List.of(B));
        holds.add(old);
        holds.add(fresh);
        holds.remove(old);

        assertThat(holds.find(OWNER, List.of(A))).isNull();
        assertThat(holds.find(OWNER, List.of(B))).isSameAs(fresh);
    }

    @Test
    void lostHoldIsRemovedThoughItsLeaseIsNeverClosed() {
        ReentrantHold both = hold(List.of(A, B));
        holds.add(both);
        Ticket ticket = both.acquisition.ticket();
        Grant grant = ticket.granted(7, 1_000, 5);
        ticket.offer();

        ticket.end(grant, Phase.Why.LOST, 7, "it was deleted");
        ticket.tellLost();

        assertThat(holds.find(OWNER, List.of(A))).isNull();
        assertThat(holds.find(OWNER, List.of(B))).isNull();
    }

    private static ReentrantHold hold(List<LockName> names) {
        return new ReentrantHold(
                new ReentrantHold.Key(OWNER, names),
                TestEngine.acquisition(
                        TestEngine.spec(
                                names,
                                Duration.ofSeconds(1),
                                false,
                                Duration.ofSeconds(1),
                                false,
                                RequestEvents.SILENT),
                        0));
    }
}
