package dev.baton.lock.engine.lease;

import static dev.baton.lock.support.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.Interleavings.Meeting;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.EngineTimer;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores interleavings of threads that begin, release, lose and end a lease. */
@Tag("interleavings")
class LeaseConcurrencyTests {

    private static final long NOW = ManualTime.START;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final EndReply NOTHING = TestEngine.ended(Role.NOTHING);

    @Test
    void endMeetsTheLossOfTheConnection() {
        explore(() -> {
            LocalProcess process = new LocalProcess();
            Ticket ticket = process.ticket;
            ticket.ask(Kind.MESSAGE, 0, NOW);
            return new Meeting(
                    () -> {
                        process.store.connection.incrementAndGet();
                        ticket.failed(TestEngine.passing(), true);
                    },
                    () -> {
                        ticket.giveUp(NOW);
                        process.ends.withdraw(ticket);
                    },
                    () -> assertThat(process.store.marked || process.store.endedOver == 0)
                            .as("the acquire of the lost connection meets a mark if it may run after the end")
                            .isTrue());
        });
    }

    @Test
    void releaseMeetsTheBeginningOfItsLease() {
        explore(() -> {
            LocalProcess process = new LocalProcess();
            Grant grant = process.grant();
            return new Meeting(
                    () -> process.leases.begin(process.ticket, grant, NOW, NOW),
                    () -> process.leases.release(process.ticket, grant),
                    () -> assertThat(process.leases.names())
                            .as("leases that are over and still monitored")
                            .isEmpty());
        });
    }

    @Test
    void revocationMeetsTheBeginningOfItsLease() {
        explore(() -> {
            LocalProcess process = new LocalProcess();
            Ticket ticket = process.ticket;
            return new Meeting(
                    () -> process.leases.begin(ticket, process.grant(), NOW, NOW),
                    () -> process.leases.revoked(ticket, 7),
                    () -> {
                        assertThat(ticket.isLost()).isTrue();
                        assertThat(process.leases.names()).isEmpty();
                    });
        });
    }

    @Test
    void restartMeetsTheBeginningOfALease() {
        explore(() -> {
            LocalProcess process = new LocalProcess();
            Ticket ticket = process.ticket;
            return new Meeting(
                    () -> process.leases.begin(ticket, process.grant(), NOW, NOW),
                    process.leases::lostByRestart,
                    () -> {
                        assertThat(ticket.isLost()).isTrue();
                        assertThat(process.leases.names()).isEmpty();
                    });
        });
    }

    @Test
    void lossMeetsARelease() {
        explore(() -> {
            LocalProcess process = new LocalProcess();
            Ticket ticket = process.ticket;
            Grant grant = process.grant();
            boolean[] released = new boolean[1];
            return new Meeting(
                    () -> process.leases.begin(ticket, grant, NOW, NOW),
                    () -> released[0] = process.leases.release(ticket, grant),
                    () -> process.leases.lost(ticket, grant, LossReasons.UNKNOWN),
                    () -> {
                        assertThat(ticket.isLost()).isNotEqualTo(released[0]);
                        assertThat(process.leases.names()).isEmpty();
                    });
        });
    }

    /** The objects of a process for one ticket with a renewed lease. */
    private static final class LocalProcess {

        private final Store store = new Store();
        private final RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
        private final EngineExecutors executors = new EngineExecutors(TIME);
        private final EndDispatcher ends = new EndDispatcher(store, TestEngine.CALM, executors, TIME, registry);
        private final LeaseMonitor leases = new LeaseMonitor(store, TestEngine.CALM, executors, TIME, ends);
        private final Ticket ticket = registry.ticket(new Acquisition(TestEngine.renewed(LEASE), NOW, registry));

        Grant grant() {
            return Objects.requireNonNull(ticket.granted(7, NOW + LEASE.toNanos(), NOW));
        }
    }

    /** A store whose order is the number of its connection. It answers each end at once. */
    private static final class Store implements LockStore {

        private final AtomicInteger connection = new AtomicInteger();
        /** The connection of the first end, or -1 if none was sent. */
        private int endedOver = -1;

        private boolean marked;

        @Override
        public long order() {
            return connection.get();
        }

        @Override
        public CompletableFuture<EndReply> end(EndCommand command) {
            if (endedOver < 0) {
                endedOver = connection.get();
            }
            marked |= command.markMillis() > 0;
            return CompletableFuture.completedFuture(NOTHING);
        }

        @Override
        public void start(String instance, GrantInbox inbox) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void stop() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isListening() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void listenAgain() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String describe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> keys(LockName name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public LockStoreAdministration administration() {
            throw new UnsupportedOperationException();
        }
    }

    /** Time that does not pass. Timers run a due task in the thread of the caller, and no other task. */
    private static final TimeSource TIME = new TimeSource() {
        @Override
        public long nanoTime() {
            return NOW;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public EngineTimer newTimer(String name) {
            return new EngineTimer() {
                @Override
                public @Nullable ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
                    if (delayNanos <= 0) {
                        task.run();
                    }
                    return null;
                }

                @Override
                public void stop() {
                    // no thread runs
                }
            };
        }
    };
}
