package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.Tokens;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two processes on one host, for the contracts of a store, with the helpers of their tests. */
abstract class StoreFixture {

    /** The names of all locks have one hash tag: only such locks can be requested together in a Redis Cluster. */
    static final LockName NAME = new LockName("", "orders.{eu}1");

    static final long TIMEOUT = TimeUnit.SECONDS.toNanos(5);
    /** By then tokens can be kept, however many were given just before. */
    static final Duration ROOM = Duration.of(2 * Tokens.MOST_AHEAD, ChronoUnit.MICROS);

    StoreHost host;
    StoreProcess a;
    StoreProcess b;

    /** Returns a new place for locks, which the test closes. */
    protected abstract StoreHost host();

    @BeforeEach
    void start() {
        host = host();
        a = host.start("a", true);
        b = host.start("b", true);
    }

    @AfterEach
    void stop() {
        try {
            a.close();
            b.close();
        } finally {
            host.close();
        }
    }

    /**
     * Returns the token of a grant, of which its process learns once: by the answer to its own end, or else by a message.
     */
    long learnt(StoreProcess ending, EndReply answer, StoreProcess next, int number) {
        assertThat(answer)
                .isEqualTo(
                        new EndReply(Role.HOLDER, List.of(), false, false, List.of(next.id(number)), answer.token()));
        if (ending == next && answer.token().isPresent()) {
            host.settle(next);
            assertThat(next.told).as("the answer has told it").isEmpty();
            return answer.token().getAsLong();
        }
        assertThat(answer.token()).isEmpty();
        Told told = onlyMessage(next);
        assertThat(told).isEqualTo(new Told("granted", List.of(NAME), next.id(number), told.token()));
        return told.token();
    }

    Told onlyMessage(StoreProcess process) {
        host.settle(process);
        assertThat(process.told).hasSize(1);
        return process.told.remove();
    }

    static long hold(StoreProcess process, int number) {
        return hold(process, NAME, number);
    }

    static long hold(StoreProcess process, LockName name, int number) {
        return ((Granted) process.acquire(name, process.tries(number)).answers().get(0)).token();
    }

    LockState inspect() {
        return inspect(NAME);
    }

    LockState inspect(LockName name) {
        return StoreProcess.answer(b.store.administration().inspect(name, 10, TIMEOUT));
    }
}
