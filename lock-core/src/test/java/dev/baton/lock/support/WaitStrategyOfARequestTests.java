package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.AcquireCommand.Kind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which wait strategies and polling intervals a template accepts. Its store grants to its queue. */
class WaitStrategyOfARequestTests {

    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final LockRequest REQUEST = LockRequest.of("orders", 42);

    private final FakeLockStore store = new FakeLockStore();
    private LockTemplate template =
            LockTemplate.builder(store).shutdownAwait(Duration.ZERO).build();

    @AfterEach
    void stop() {
        template.close();
    }

    private void restart(LockRequest scope) {
        template.close();
        template = LockTemplate.builder(store)
                .shutdownAwait(Duration.ZERO)
                .scope(scope)
                .build();
    }

    @Test
    void strategyThatTheStoreDoesNotServeIsRefusedBeforeItIsAsked() {
        LockRequest keyspace = REQUEST.waitStrategy(WaitStrategy.KEYSPACE);
        String message = "waitStrategy KEYSPACE of lock 'orders.42' is not that of the store, which is GRANT"
                + " (baton.wait-strategy); leave waitStrategy out, or use POLLING";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.acquire(keyspace))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.tryAcquire(keyspace))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.checkServed(keyspace))
                .withMessage(message);
        assertThat(store.acquires).isEmpty();
    }

    @Test
    void strategyOfTheStoreIsAccepted() {
        assertThatCode(() -> template.checkServed(REQUEST.waitStrategy(WaitStrategy.GRANT)))
                .doesNotThrowAnyException();
        assertThatCode(() -> template.checkServed(
                        REQUEST.waitStrategy(WaitStrategy.POLLING).pollingInterval(INTERVAL)))
                .doesNotThrowAnyException();
    }

    @Test
    void intervalOfARequestThatDoesNotPollIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.acquire(REQUEST.pollingInterval(INTERVAL)))
                .withMessage(
                        "pollingInterval 20 ms of lock 'orders.42' has no effect, because the wait strategy is GRANT;"
                                + " use waitStrategy POLLING, or leave pollingInterval out");
        assertThat(store.acquires).isEmpty();
    }

    @Test
    void intervalIsAcceptedIfTheScopePolls() {
        restart(LockRequest.of("orders").waitStrategy(WaitStrategy.POLLING));
        assertThatCode(() -> template.checkServed(REQUEST.pollingInterval(INTERVAL)))
                .doesNotThrowAnyException();
        template.acquireAsync(REQUEST);
        assertThat(store.nextAcquire().command().requests().get(0).kind()).isEqualTo(Kind.TRY);
        template.acquireAsync(REQUEST.waitStrategy(WaitStrategy.GRANT));
        assertThat(store.nextAcquire().command().requests().get(0).kind()).isEqualTo(Kind.MESSAGE);
    }

    @Test
    void intervalIsRefusedWithTheNameOfTheLockIfItsScopeDoesNotPoll() {
        restart(LockRequest.of("orders").waitStrategy(WaitStrategy.GRANT));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.acquire(REQUEST.pollingInterval(INTERVAL)))
                .withMessageStartingWith("pollingInterval 20 ms of lock 'orders.42' has no effect");
    }

    @Test
    void scopeThatCannotWaitAsItSaysFailsTheStart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockTemplate.builder(store)
                        .scope(LockRequest.of("orders").waitStrategy(WaitStrategy.KEYSPACE))
                        .build())
                .withMessageStartingWith("waitStrategy KEYSPACE of scope 'orders' is not that of the store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockTemplate.builder(store)
                        .scope(LockRequest.of("orders").pollingInterval(INTERVAL))
                        .build())
                .withMessageStartingWith("pollingInterval 20 ms of scope 'orders' has no effect");
    }

    @Test
    void requestThatPollsUsesTheIntervalOfTheStoreByDefault() {
        RequestDefaults defaults = new LockTemplateBuilder(store).defaults();
        assertThat(polling(defaults, REQUEST)).isNull();
        LockRequest polls = REQUEST.waitStrategy(WaitStrategy.POLLING);
        assertThat(polling(defaults, polls)).isEqualTo(store.traits().pollingInterval());
        assertThat(polling(defaults, polls.pollingInterval(INTERVAL))).isEqualTo(INTERVAL);
    }

    private static Duration polling(RequestDefaults defaults, LockRequest request) {
        return defaults.spec(request, TestEngine.NAME, "o", "l", WaitTime.none(), RequestEvents.SILENT)
                .polling();
    }
}
