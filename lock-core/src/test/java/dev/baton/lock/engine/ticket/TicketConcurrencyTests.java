package dev.baton.lock.engine.ticket;

import static dev.baton.lock.support.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.Interleavings.Meeting;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores interleavings of threads that grant, give up, release, lose, request and end one ticket. */
@Tag("interleavings")
class TicketConcurrencyTests {

    private static final long NOW = 5;
    private static final long END = 1_000;
    /** The most interleavings of one scenario. Each is short, and most scenarios have fewer. */
    private static final int MOST = 2_000;

    private static final AcquisitionSpec SPEC = TestEngine.waits(Duration.ofSeconds(10));
    private static final Busy EARLIER = TestEngine.busyAnswer(6, Duration.ofSeconds(1));
    private static final Busy LATER = TestEngine.busyAnswer(8, Duration.ofSeconds(1));
    private static final EndReply HELD = TestEngine.ended(Role.HOLDER);
    private static final EndReply UNKNOWN = TestEngine.ended(Role.NOTHING);

    private static Ticket ticket() {
        return ticket(new LossCounter());
    }

    private static Ticket ticket(TicketHolder holder) {
        return new Ticket("i:1", SPEC, NOW, holder, 0);
    }

    @Test
    void grantAndGiveUpHaveOneWinner() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            boolean[] won = new boolean[2];
            return new Meeting(
                    () -> won[0] = ticket.granted(7, END, NOW) != null, () -> won[1] = ticket.giveUp(NOW), () -> {
                        assertThat(won).containsOnlyOnce(true);
                        assertThat(ticket.grant() != null).isEqualTo(won[0]);
                        assertThat(ticket.isOver()).isEqualTo(won[1]);
                    });
        });
    }

    @Test
    void answerAndMessageGrantOnce() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            Grant[] grants = new Grant[2];
            boolean[] gaveUp = new boolean[1];
            return new Meeting(
                    () -> {
                        grants[0] = ticket.granted(7, END, NOW);
                        gaveUp[0] = ticket.giveUp(NOW);
                    },
                    () -> grants[1] = ticket.granted(7, END, NOW),
                    () -> {
                        assertThat(grants).containsOnlyOnce((Grant) null).contains(ticket.grant());
                        assertThat(gaveUp[0]).as("given up although granted").isFalse();
                    });
        });
    }

    @Test
    void releaseAndLossHaveOneWinner() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            Grant grant = ticket.granted(7, END, NOW);
            boolean[] won = new boolean[2];
            return new Meeting(
                    () -> won[0] = ticket.end(grant, Phase.Why.RELEASED, NOW, ""),
                    () -> won[1] = ticket.end(grant, Phase.Why.LOST, NOW, "revoked"),
                    () -> {
                        assertThat(won).containsOnlyOnce(true);
                        assertThat(ticket.isLost()).isEqualTo(won[1]);
                    });
        });
    }

    @Test
    void lossIsReportedOnce() {
        explore(MOST, () -> {
            LossCounter holder = new LossCounter();
            Ticket ticket = ticket(holder);
            Grant grant = ticket.granted(7, END, NOW);
            return new Meeting(
                    () -> {
                        // the answer to the end shows that the store no longer knew the lease
                        if (ticket.end(grant, Phase.Why.RELEASED, NOW, "")) {
                            ticket.foundLost(NOW, "unknown");
                        }
                    },
                    () -> {
                        if (ticket.end(grant, Phase.Why.LOST, NOW, "revoked")) {
                            ticket.tellLost();
                        }
                        // a late message shows that the store granted the lock again before the release
                        ticket.foundLost(NOW, "granted again");
                    },
                    () -> {
                        assertThat(ticket.isLost()).isTrue();
                        assertThat(holder.losses).hasValue(1);
                    });
        });
    }

    @Test
    void acquireThatIsAnsweredMeetsAnEnd() {
        acquireMeetsEnd(true, true, ticket -> {
            ticket.seen(LATER, NOW);
            ticket.answered(false);
        });
    }

    @Test
    void grantThatComesTooLateMeetsAnEnd() {
        acquireMeetsEnd(true, false, ticket -> {
            ticket.seen(new Granted(7, false), NOW);
            ticket.answered(false);
        });
    }

    @Test
    void acquireThatMayBeRepeatedMeetsAnEnd() {
        acquireMeetsEnd(false, true, ticket -> ticket.answered(true));
    }

    @Test
    void acquireThatIsNotAnsweredMeetsAnEnd() {
        acquireMeetsEnd(false, true, ticket -> ticket.failed(TestEngine.passing(), true));
    }

    /** The wait ends while the first acquire is under way. */
    private static void acquireMeetsEnd(boolean certain, boolean queued, Consumer<Ticket> answered) {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            Store store = new Store();
            return new Meeting(
                    () -> {
                        if (store.acquire(ticket)) {
                            answered.accept(ticket);
                        }
                    },
                    () -> {
                        ticket.giveUp(NOW);
                        store.withdraw(ticket);
                    },
                    () -> store.check(certain, queued));
        });
    }

    @Test
    void acquireThatDidNotRunLeavesNothing() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            boolean[] sent = new boolean[1];
            return new Meeting(
                    () -> {
                        sent[0] = ticket.ask(Kind.MESSAGE, 0, NOW) != null;
                        if (sent[0]) {
                            ticket.failed(TestEngine.notReady(), true);
                        }
                    },
                    () -> ticket.giveUp(NOW),
                    () -> {
                        assertThat(ticket.isDoubtful()).isFalse();
                        assertThat(ticket.mayBeInStore()).isFalse();
                        assertThat(ticket.attempts()).isEqualTo(sent[0] ? 1 : 0);
                    });
        });
    }

    @Test
    void revocationMeetsItsGrant() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            return new Meeting(
                    // LeaseMonitor begins to monitor a lease in the same way
                    () -> {
                        Grant grant = ticket.granted(7, END, NOW);
                        if (ticket.isRevoked(7)) {
                            ticket.end(grant, Phase.Why.LOST, NOW, "revoked");
                        }
                    },
                    // LeaseMonitor handles the message in the same way
                    () -> {
                        ticket.revoked(7);
                        Grant grant = ticket.grant();
                        if (grant != null && ticket.isRevoked(grant.token)) {
                            ticket.end(grant, Phase.Why.LOST, NOW, "revoked");
                        }
                    },
                    () -> assertThat(ticket.isLost()).isTrue());
        });
    }

    @Test
    void revokedTokenNeverGoesBack() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            return new Meeting(() -> ticket.revoked(8), () -> ticket.revoked(6), () -> {
                assertThat(ticket.isRevoked(8)).isTrue();
                assertThat(ticket.isRevoked(9)).isFalse();
            });
        });
    }

    @Test
    void evidenceNeverGoesBack() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            ticket.ask(Kind.MESSAGE, 0, 1);
            long[] evidence = new long[2];
            return new Meeting(
                    () -> ticket.seen(LATER, 30),
                    () -> {
                        ticket.seen(EARLIER, 20);
                        evidence[0] = ticket.evidence(9).orElseThrow();
                        evidence[1] = ticket.evidence(9).orElseThrow();
                    },
                    () -> {
                        assertThat(evidence).isSorted();
                        assertThat(ticket.evidence(9)).hasValue(30);
                        assertThat(ticket.isOvertaken(8)).isTrue();
                    });
        });
    }

    @Test
    void firstAnswerToAnEndCounts() {
        explore(MOST, () -> {
            Ticket ticket = ticket();
            EndReply[] known = new EndReply[2];
            return new Meeting(
                    () -> known[0] = ticket.endAnswered(HELD),
                    () -> known[1] = ticket.endAnswered(UNKNOWN),
                    () -> assertThat(known[0]).isSameAs(known[1]));
        });
    }

    @Test
    void localEndNeverGoesBack() {
        explore(MOST, () -> {
            Grant grant = new Grant(7, 0, NOW, END);
            return new Meeting(
                    () -> grant.extend(END + 20),
                    () -> grant.extend(END + 10),
                    () -> assertThat(grant.end()).isEqualTo(END + 20));
        });
    }

    /** The commands that the store carries out for one ticket. */
    private static final class Store {

        private final AtomicInteger commands = new AtomicInteger();
        /** The place of the acquire and that of the end among the commands; 0 if they were not carried out. */
        private int acquired;

        private int ended;
        private boolean marked;
        /** Whether the end names a record by which the queue knows the ticket. */
        private boolean named;

        /** Does the same as AcquireDispatcher. */
        boolean acquire(Ticket ticket) {
            if (ticket.ask(Kind.MESSAGE, 0, NOW) == null) {
                return false;
            }
            acquired = commands.incrementAndGet();
            return true;
        }

        /** Does the same as EndDispatcher. */
        void withdraw(Ticket ticket) {
            if (ticket.mayBeInStore()) {
                marked = ticket.isDoubtful();
                named = ticket.mayBeQueued() && ticket.request() != null;
                ended = commands.incrementAndGet();
            }
        }

        /**
         * Checks the end. An acquire without a certain answer may be carried out again, or only later.
         *
         * @param queued whether the acquire put the ticket into a queue
         */
        void check(boolean certain, boolean queued) {
            if (acquired > 0) {
                assertThat(ended)
                        .as("the end of a ticket that the store may know")
                        .isPositive();
                assertThat(marked || certain && acquired < ended)
                        .as("an acquire that may run after the end meets a mark")
                        .isTrue();
                assertThat(named || !queued || acquired > ended)
                        .as("an end of a waiter names its record")
                        .isTrue();
            }
        }
    }

    /** A holder that takes every grant. */
    private static final class LossCounter implements TicketHolder {

        private final AtomicInteger losses = new AtomicInteger();

        @Override
        public boolean granted(Ticket ticket) {
            return true;
        }

        @Override
        public void failed(Ticket ticket, Outcome outcome) {
            throw new AssertionError("no ticket fails here");
        }

        @Override
        public void lost(Ticket ticket) {
            losses.incrementAndGet();
        }

        @Override
        public List<Acquisition> waiting(Ticket ticket) {
            return List.of();
        }
    }
}
