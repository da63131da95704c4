package dev.baton.lock.engine.ticket;

import static dev.baton.lock.support.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.support.Interleavings.Meeting;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores interleavings of a caller and the threads that grant and lose the ticket of the caller. */
@Tag("interleavings")
class AcquisitionConcurrencyTests {

    private static final long NOW = 5;
    private static final long END = 1_000;
    private static final int MOST = 500;
    private static final AcquisitionSpec SPEC = TestEngine.waits(Duration.ofSeconds(10));

    /** An acquisition with a ticket of its own. */
    private static Acquisition acquisition() {
        Acquisition caller = new Acquisition(SPEC, NOW, new RequestRegistry("i", Integer.MAX_VALUE));
        caller.asksBy(new Ticket("i:1", SPEC, NOW, caller, 0));
        return caller;
    }

    @Test
    void grantGoesToItsCallerOrIsGivenBack() {
        explore(MOST, () -> {
            Acquisition caller = acquisition();
            Ticket ticket = caller.ticket();
            boolean[] gaveUp = new boolean[1];
            return new Meeting(
                    () -> {
                        Grant grant = ticket.granted(7, END, NOW);
                        if (grant != null && !ticket.offer()) {
                            ticket.end(grant, Phase.Why.RELEASED, NOW, "");
                        }
                    },
                    () -> {
                        gaveUp[0] = caller.giveUp(NOW);
                        if (gaveUp[0]) {
                            ticket.giveUp(NOW);
                        }
                    },
                    () -> {
                        assertThat(caller.grant() == null).isEqualTo(gaveUp[0]);
                        assertThat(ticket.isOver())
                                .as("the ticket is given back")
                                .isEqualTo(gaveUp[0]);
                        assertThat(caller.settled.isDone()).isNotEqualTo(gaveUp[0]);
                    });
        });
    }

    @Test
    void lossMeetsTheGrantOfItsCaller() {
        explore(MOST, () -> {
            Acquisition caller = acquisition();
            Ticket ticket = caller.ticket();
            Grant grant = ticket.granted(7, END, NOW);
            return new Meeting(ticket::offer, () -> lose(ticket, grant), () -> {
                assertThat(caller.settled).isCompletedWithValue(Outcome.GRANTED);
                assertThat(caller.phase()).isEqualTo(ticket.phase());
                assertThat(caller.loss()).isCompleted();
            });
        });
    }

    @Test
    void lossMeetsARelease() {
        explore(MOST, () -> {
            Acquisition caller = acquisition();
            Ticket ticket = caller.ticket();
            Grant grant = ticket.granted(7, END, NOW);
            ticket.offer();
            return new Meeting(
                    // CohortRegistry ends such an acquisition in the same way
                    () -> {
                        caller.end(grant, Phase.Why.RELEASED, NOW, "");
                        if (!ticket.end(grant, Phase.Why.RELEASED, NOW, "")) {
                            caller.lost(ticket);
                        }
                    },
                    () -> lose(ticket, grant),
                    () -> {
                        assertThat(caller.phase()).isEqualTo(ticket.phase());
                        assertThat(caller.loss().isDone()).isEqualTo(ticket.isLost());
                    });
        });
    }

    @Test
    void lossMeetsACallerThatAwaitsTheLoss() {
        explore(MOST, () -> {
            Acquisition caller = acquisition();
            Ticket ticket = caller.ticket();
            Grant grant = ticket.granted(7, END, NOW);
            ticket.offer();
            CompletableFuture<?>[] heard = new CompletableFuture<?>[1];
            return new Meeting(
                    () -> heard[0] = caller.loss(),
                    () -> lose(ticket, grant),
                    () -> assertThat(heard[0]).isSameAs(caller.loss()).isCompleted());
        });
    }

    @Test
    void stopFindsACallerThatReceivesItsTicket() {
        explore(() -> {
            RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
            Acquisition caller = new Acquisition(SPEC, NOW, registry);
            return new Meeting(
                    () -> registry.add(caller),
                    () -> registry.ticket(caller),
                    registry::failAll,
                    () -> assertThat(caller.settled).isCompletedWithValue(Outcome.FAILED));
        });
    }

    /** Does the same as LeaseMonitor. */
    private static void lose(Ticket ticket, Grant grant) {
        if (ticket.end(grant, Phase.Why.LOST, NOW, "revoked")) {
            ticket.tellLost();
        }
    }
}
