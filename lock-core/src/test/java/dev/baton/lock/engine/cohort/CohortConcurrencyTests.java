package dev.baton.lock.engine.cohort;

import static dev.baton.lock.support.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.support.Interleavings.Meeting;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explores interleavings of threads that join and leave one cohort, and that release, grant and lose its lock, each
 * with the invariants of {@link LocalProcess#check} at its end.
 */
@Tag("interleavings")
class CohortConcurrencyTests {

    private static final long NOW = 5;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long END = NOW + LEASE.toNanos();
    private static final AcquisitionSpec SPEC = TestEngine.waits(LEASE);
    private static final int LIMIT = 2;
    private static final CohortPolicy POLICY = new CohortPolicy(LIMIT, LEASE.toNanos());
    /** The tokens with which the store grants the tickets; the next two are reserved. */
    private static final long[] TOKENS = {200, 300, 400};
    /** The token with which the store extends the first ticket; the next two are reserved. */
    private static final long EXTENSION = 250;

    @Test
    void joinMeetsTheLastLeave() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(() -> process.join(0), () -> process.leave(0), () -> process.join(1));
        });
    }

    @Test
    void joinMeetsTheLastRelease() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                    },
                    () -> process.release(0),
                    () -> process.join(1));
        });
    }

    @Test
    void joinMeetsTheGrantOfAMemberThatLeaves() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(() -> process.join(0), () -> process.grant(0), () -> {
                process.leave(0);
                process.join(1);
            });
        });
    }

    @Test
    void joinMeetsARefusal() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(() -> process.join(0), () -> process.refuse(0), () -> process.join(1));
        });
    }

    @Test
    void lastTwoMembersLeaveTogether() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.join(1);
                    },
                    () -> process.leave(0),
                    () -> process.leave(1));
        });
    }

    @Test
    void passMeetsALeave() {
        explore(() -> {
            LocalProcess process = new LocalProcess(3);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                        process.join(1);
                        process.join(2);
                    },
                    () -> process.release(0),
                    () -> process.leave(1));
        });
    }

    @Test
    void passMeetsALossAndAJoin() {
        explore(() -> {
            LocalProcess process = new LocalProcess(3);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                        process.join(1);
                    },
                    () -> process.release(0),
                    () -> {
                        process.lose(0);
                        process.join(2);
                    });
        });
    }

    @Test
    void lastReleaseMeetsALossAndAJoin() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                    },
                    () -> process.release(0),
                    () -> {
                        process.lose(0);
                        process.join(1);
                    });
        });
    }

    @Test
    void lossMeetsALeave() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                        process.join(1);
                    },
                    () -> process.lose(0),
                    () -> process.leave(1));
        });
    }

    @Test
    void grantMeetsALeaveAndItsLoss() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.join(1);
                    },
                    () -> process.grant(0),
                    () -> {
                        process.leave(0);
                        process.lose(0);
                    });
        });
    }

    @Test
    void grantMeetsALateRefusal() {
        explore(() -> {
            LocalProcess process = new LocalProcess(2);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.join(1);
                    },
                    () -> process.grant(0),
                    () -> process.refuse(0));
        });
    }

    @Test
    void passesMeetAnExtension() {
        explore(() -> {
            LocalProcess process = new LocalProcess(4);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                        process.join(1);
                        process.join(2);
                        process.join(3);
                        process.release(0);
                    },
                    () -> {
                        process.release(1);
                        process.release(2);
                    },
                    () -> process.extend(0));
        });
    }

    @Test
    void nextTicketMeetsALateExtension() {
        explore(() -> {
            LocalProcess process = new LocalProcess(3);
            return process.meeting(
                    () -> {
                        process.join(0);
                        process.grant(0);
                        process.join(1);
                        process.join(2);
                        process.release(0);
                    },
                    () -> {
                        process.lose(0);
                        process.grant(1);
                    },
                    () -> process.extend(0));
        });
    }

    /** One process. It does the same as CohortRegistry, and records the commands that it would send to the store. */
    private static final class LocalProcess {

        private final Acquisition[] members;
        /** The tickets in the order in which the cohort creates them. */
        private final Ticket[] tickets = new Ticket[TOKENS.length];

        private final Cohort cohort = new Cohort(POLICY, (same, member) -> create(), SPEC);
        /** How many tickets the cohort has created; written under its lock. */
        private int created;
        /** The tickets with an acquire, and the tickets with an end. */
        private final boolean[] asked = new boolean[TOKENS.length];

        private final boolean[] ended = new boolean[TOKENS.length];
        /** The members that found the cohort closed, and the members that were refused. */
        private final boolean[] turnedAway;

        private final boolean[] refused;
        /** Whether a member could not join although the cohort was open. */
        private volatile boolean closedTooEarly;

        LocalProcess(int size) {
            RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
            members = new Acquisition[size];
            Arrays.setAll(members, number -> new Acquisition(SPEC, NOW, registry));
            Arrays.setAll(tickets, number -> registry.ticket(SPEC.withoutBound(), NOW, members[0], LIMIT));
            turnedAway = new boolean[size];
            refused = new boolean[size];
        }

        Meeting meeting(Runnable before, Runnable first, Runnable other) {
            return new Meeting(before, first, other, this::check);
        }

        private Ticket create() {
            return tickets[created++];
        }

        void join(int member) {
            Cohort.Step step = cohort.join(members[member]);
            if (step == null) {
                turnedAway[member] = true;
                closedTooEarly |= !cohort.isClosed();
            } else {
                ask(step.asked());
            }
        }

        void leave(int member) {
            if (members[member].giveUp(NOW)) {
                Ticket unwanted = cohort.left(members[member]).ended();
                if (unwanted != null && unwanted.giveUp(NOW)) {
                    end(unwanted);
                }
            }
        }

        void grant(int number) {
            Ticket ticket = tickets[number];
            Grant grant = ticket.granted(TOKENS[number], END, NOW);
            if (grant != null
                    && cohort.granted(ticket, NOW).ended() != null
                    && ticket.end(grant, Phase.Why.RELEASED, NOW, "")) {
                end(ticket);
            }
        }

        void release(int member) {
            Grant grant = members[member].grant();
            if (grant == null || !members[member].end(grant, Phase.Why.RELEASED, NOW, "")) {
                return;
            }
            Cohort.Step step = cohort.released(members[member], NOW);
            if (step.granted() != null) {
                return;
            }
            Ticket held = members[member].ticket();
            Grant last = held.grant();
            if (last != null) {
                held.end(last, Phase.Why.RELEASED, NOW, "");
            }
            end(held);
            ask(step.asked());
        }

        void lose(int number) {
            Ticket ticket = tickets[number];
            Grant grant = ticket.grant();
            if (grant != null && ticket.end(grant, Phase.Why.LOST, NOW, "revoked")) {
                Cohort.Step step = cohort.lost(ticket, NOW);
                if (step.lost() != null) {
                    step.lost().lost(ticket);
                }
                ask(step.asked());
                end(ticket);
            }
        }

        void refuse(int number) {
            Ticket ticket = tickets[number];
            List<Acquisition> all = cohort.refused(ticket);
            for (int i = 0; i < members.length; i++) {
                if (all.contains(members[i])) {
                    members[i].failed(ticket, Outcome.FAILED);
                    refused[i] = true;
                }
            }
            if (!all.isEmpty() && ticket.giveUp(NOW)) {
                end(ticket);
            }
        }

        void extend(int number) {
            cohort.extended(tickets[number], EXTENSION, LIMIT, NOW);
        }

        private void ask(@Nullable Ticket ticket) {
            if (ticket != null) {
                asked[number(ticket)] = true;
            }
        }

        private void end(Ticket ticket) {
            ended[number(ticket)] = true;
        }

        private int number(Ticket ticket) {
            int number = 0;
            while (tickets[number] != ticket) {
                number++;
            }
            return number;
        }

        private void check() {
            List<Integer> holding = new ArrayList<>();
            List<Integer> waiting = new ArrayList<>();
            for (int i = 0; i < members.length; i++) {
                if (members[i].grant() != null) {
                    holding.add(i);
                } else if (members[i].isPlaced() && !turnedAway[i] && !refused[i]) {
                    waiting.add(i);
                }
            }
            List<Integer> open = new ArrayList<>();
            for (int i = 0; i < created; i++) {
                assertThat(asked[i]).as("ticket %d asks once it is created", i).isTrue();
                assertThat(ended[i]).as("ticket %d is ended if it is over", i).isEqualTo(tickets[i].isOver());
                if (!tickets[i].isOver()) {
                    open.add(i);
                    assertThat(tickets[i].grant() != null ? holding : waiting)
                            .as("members that want ticket %d", i)
                            .isNotEmpty();
                }
            }
            assertThat(holding).as("members that hold the lock").hasSizeLessThanOrEqualTo(1);
            assertThat(holding).allMatch(member -> members[member].ticket().grant() != null);
            assertThat(open).as("tickets that are open").hasSize(cohort.isClosed() ? 0 : 1);
            assertThat(cohort.isClosed() ? waiting : List.of())
                    .as("members that are forgotten")
                    .isEmpty();
            assertThat(closedTooEarly).as("a member was turned away too early").isFalse();
            checkTokens();
        }

        private void checkTokens() {
            List<Long> tokens = new ArrayList<>();
            for (Acquisition member : members) {
                if (member.wasGranted()) {
                    long token = member.lastGrant().token;
                    long first = member.ticket().lastGrant().token;
                    assertThat(token)
                            .satisfiesAnyOf(
                                    own -> assertThat(own).isBetween(first, first + LIMIT),
                                    more -> assertThat(
                                                    first == TOKENS[0] && more > EXTENSION && more <= EXTENSION + LIMIT)
                                            .isTrue());
                    tokens.add(token);
                }
            }
            // the remaining members are granted in the order in which they joined
            assertThat(tokens).as("tokens that were passed on").isSorted().doesNotHaveDuplicates();
        }
    }
}
