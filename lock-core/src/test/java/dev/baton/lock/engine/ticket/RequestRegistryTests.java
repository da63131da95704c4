package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which requests a stop waits for, and which requests the counters count. */
class RequestRegistryTests {

    private static final AcquisitionSpec SPEC = TestEngine.waits(Duration.ofSeconds(10));

    private final RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
    private final Acquisition acquisition = new Acquisition(SPEC, 0, registry);

    @Test
    void waitingRequestIsCountedOnce() {
        registry.add(acquisition);
        assertThat(registry.placed()).isZero();
        Ticket ticket = registry.ticket(acquisition);
        assertThat(registry.placed()).as("no acquire sent yet").isZero();
        ticket.ask(Kind.MESSAGE, 0, 1);

        assertThat(registry.size()).isEqualTo(1);
        assertThat(registry.placed()).isEqualTo(1);
        assertThat(registry.isBusy()).isTrue();
        assertThat(registry.find(ticket.id())).isSameAs(ticket);
        assertThat(registry.isOurs(ticket.id())).isTrue();
        assertThat(registry.isOurs("j:1")).isFalse();
    }

    @Test
    void untakenGrantIsEndedLater() {
        registry.add(acquisition);
        Ticket ticket = registry.ticket(acquisition);
        acquisition.giveUp(3);
        registry.forget(acquisition);
        assertThat(registry.isEnding())
                .as("the ticket still waits in the store")
                .isTrue();
        Grant grant = Objects.requireNonNull(ticket.granted(7, 100, 5));
        assertThat(registry.isBusy()).isFalse();
        assertThat(registry.isEnding()).as("granted and not taken").isTrue();

        ticket.end(grant, Phase.Why.RELEASED, 9, "");
        assertThat(registry.isEnding()).as("released, and no end is sent").isTrue();
        assertThat(registry.size()).isEqualTo(1);

        registry.forget(ticket);
        assertThat(registry.isEnding()).isFalse();
        assertThat(registry.size()).isZero();
    }

    @Test
    void heldLockIsNotEnding() {
        registry.add(acquisition);
        Ticket ticket = registry.ticket(acquisition);
        Grant grant = Objects.requireNonNull(ticket.granted(7, 100, 5));
        ticket.offer();
        assertThat(registry.isBusy()).isTrue();
        assertThat(registry.isEnding()).isFalse();

        acquisition.end(grant, Phase.Why.RELEASED, 9, "");
        assertThat(registry.isBusy()).isFalse();
        assertThat(registry.isEnding())
                .as("released, and its ticket is not ended yet")
                .isTrue();
    }

    @Test
    void lostLockIsEndedInTheStoreLater() {
        registry.add(acquisition);
        Ticket ticket = registry.ticket(acquisition);
        Grant grant = Objects.requireNonNull(ticket.granted(7, 100, 5));
        ticket.offer();
        ticket.end(grant, Phase.Why.LOST, 9, "it was deleted");
        ticket.tellLost();

        assertThat(registry.isBusy()).isFalse();
        assertThat(registry.isEnding()).isFalse();
        assertThat(registry.size()).as("until its end is acknowledged").isEqualTo(1);
    }

    /** A stop must not overlook the first acquisition of an engine while the acquisition receives its ticket. */
    @Test
    void acquisitionIsFoundWhileItReceivesItsTicket() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 20_000; round++) {
                RequestRegistry fresh = new RequestRegistry("i", Integer.MAX_VALUE);
                Acquisition one = new Acquisition(SPEC, 0, fresh);
                fresh.add(one);
                AtomicBoolean begun = new AtomicBoolean();
                Future<?> given = other.submit(() -> {
                    begun.set(true);
                    fresh.ticket(one);
                });
                while (!begun.get()) {
                    Thread.onSpinWait();
                }
                assertThat(fresh.isBusy()).as("round %d", round).isTrue();
                given.get(5, TimeUnit.SECONDS);
            }
        } finally {
            other.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stopFailsWaitingRequests(boolean ticketed) {
        registry.add(acquisition);
        if (ticketed) {
            registry.ticket(acquisition);
        }

        registry.failAll();

        assertThat(acquisition.settled).isCompletedWithValue(Outcome.FAILED);
    }

    /** Otherwise, a process that loses 100,000 leases at once would compare each of them with all others. */
    @Test
    void lossLooksAtABoundedNumberOfTickets() {
        for (int one = 0; one < RequestRegistry.MOST_LOOKED_AT + 1; one++) {
            registry.ticket(new Acquisition(SPEC, 0, registry));
        }
        AtomicInteger looks = new AtomicInteger();
        List<LockName> other = new AbstractList<>() {
            @Override
            public LockName get(int index) {
                looks.incrementAndGet();
                return new LockName("", "other");
            }

            @Override
            public int size() {
                return 1;
            }
        };

        assertThat(registry.nextHolder(other, 7, 0)).isNull();
        assertThat(looks).hasValue(RequestRegistry.MOST_LOOKED_AT);
    }
}
