package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.scenario.AsyncScenarios;
import dev.baton.lock.scenario.Fleet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks without a thread that waits, on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class AsyncTests extends AsyncScenarios {

    private final Backend backend;

    AsyncTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }

    /** By the timer of the JDK, which has the time of the machine. */
    @Test
    void waiterWhoseFutureHasATimeoutLeavesTheQueue() {
        Lease holder = template.acquire(X);
        CompletableFuture<Lease> lease =
                template.acquireAsync(X.waitUnbounded()).toCompletableFuture();
        fleet.awaitWaiting(LOCK, 1);
        lease.orTimeout(10, TimeUnit.MILLISECONDS);
        fleet.until(Duration.ofSeconds(10), () -> EngineCounters.waiters(template) == 0);
        assertThatThrownBy(() -> get(lease)).isInstanceOf(TimeoutException.class);
        holder.close();
        fleet.assertNothingLeft();
    }
}
