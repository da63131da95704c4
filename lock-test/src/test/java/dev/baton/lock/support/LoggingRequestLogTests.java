package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.Renewal;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests the log lines for grants, long waits, losses and time-outs. */
class LoggingRequestLogTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42).waitUnbounded();

    private final Logger logger = (Logger) LoggerFactory.getLogger(LoggingRequestLog.CATEGORY);
    private final Level before = logger.getLevel();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };
    private final TestClock clock = TestClock.standing();
    private final InMemoryLockStore store = new InMemoryLockStore(clock);
    private final LockTemplate locks = template(store);
    private final LockTemplate other = template(store.newProcess());

    private LockTemplate template(InMemoryLockStore store) {
        return LockTemplate.builder(store)
                .time(clock)
                .slowWait(Duration.ofSeconds(5))
                .expire(Duration.ofHours(1))
                .shutdownAwait(Duration.ZERO)
                .build();
    }

    @BeforeEach
    void listen() {
        logger.setLevel(Level.DEBUG);
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(appender);
        logger.setLevel(before);
        locks.close();
        other.close();
    }

    @Test
    void grantIsOneLineWithKeyValuePairs() {
        locks.execute(REQUEST, lease -> locks.execute(REQUEST, inner -> 1));
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.DEBUG);
            assertThat(event.getFormattedMessage()).startsWith("Lock 'account.42' granted to ");
            assertThat(pairs(event))
                    .containsEntry("lock", "account.42")
                    .containsEntry("scope", "account")
                    .containsEntry("contended", false)
                    .containsKeys("owner", "token", "waited_ms");
        });
    }

    @Test
    void longWaitIsLoggedOnceWithItsHolderAndQueue() {
        Lease held = other.acquire(REQUEST.owner("night-job"));
        CompletableFuture<Lease> first = locks.acquireAsync(REQUEST).toCompletableFuture();
        clock.advance(Duration.ofSeconds(3));
        CompletableFuture<Lease> second = locks.acquireAsync(REQUEST).toCompletableFuture();
        clock.advance(Duration.ofMillis(1_900));
        assertThat(warnings()).isEmpty();
        clock.advance(Duration.ofMillis(100));
        await().until(() -> warnings().size() == 1);
        assertThat(warnings().get(0)).satisfies(event -> {
            assertThat(event.getFormattedMessage())
                    .startsWith("Lock 'account.42' still not granted to ")
                    .contains(
                            "after 5000 ms (baton.log.slow-wait); held by ",
                            "/night-job for 5000 ms",
                            "; 2 in its queue");
            assertThat(pairs(event))
                    .containsOnlyKeys("lock", "scope", "owner", "waited_ms", "requests", "holder", "queue")
                    .containsEntry("lock", "account.42")
                    .containsEntry("scope", "account")
                    .containsEntry("waited_ms", 5_000L)
                    .containsEntry("queue", "2")
                    .hasEntrySatisfying(
                            "holder", holder -> assertThat((String) holder).endsWith("/night-job"));
        });
        clock.advance(Duration.ofSeconds(3));
        await().until(() -> warnings().size() == 2);
        clock.advance(Duration.ofSeconds(30));
        first.cancel(false);
        second.cancel(false);
        held.close();
        assertThat(warnings()).hasSize(2);
    }

    /** Each waits in its own right, but one look at the lock and one line are enough. */
    @Test
    void requestsThatCrossTheLimitTogetherShareOneLookAndOneLine() {
        Lease held = other.acquire(REQUEST);
        List<CompletableFuture<Lease>> waiting = Stream.generate(
                        () -> locks.acquireAsync(REQUEST).toCompletableFuture())
                .limit(200)
                .toList();
        CompletableFuture<Lease> apart =
                locks.acquireAsync(LockRequest.of("account", 43)).toCompletableFuture();
        clock.advance(Duration.ofSeconds(6));
        await().until(() -> !warnings().isEmpty());
        assertThat(warnings()).singleElement().satisfies(event -> {
            assertThat(event.getFormattedMessage())
                    .contains(" and 199 more of this process after 5000 ms", "; 200 in its queue");
            assertThat(pairs(event)).containsEntry("requests", 200);
        });
        clock.advance(Duration.ofMinutes(10));
        assertThat(warnings()).hasSize(1);
        waiting.forEach(future -> future.cancel(false));
        assertThat(apart.join().release()).isTrue();
        held.close();
    }

    @Test
    void slowWaitAfterARestartIsWarnedOf() {
        Lease held = other.acquire(REQUEST);
        locks.acquireAsync(REQUEST);
        locks.stop();
        locks.start();
        CompletableFuture<Lease> waiting = locks.acquireAsync(REQUEST).toCompletableFuture();
        clock.advance(Duration.ofSeconds(6));
        await().until(() -> warnings().size() == 1);
        waiting.cancel(false);
        held.close();
    }

    @Test
    void lossIsLoggedWithTheScopesOfAllLocksOfTheRequest() {
        Lease lease = locks.acquire(REQUEST.and(LockRequest.of("zone", 1)).renew(Renewal.NEVER));
        clock.advance(Duration.ofHours(2));
        await().until(() -> losses().size() == 1);
        assertThat(losses().get(0).getFormattedMessage()).startsWith("Lock 'account.42, zone.1' was lost by ");
        assertThat(pairs(losses().get(0)))
                .containsOnlyKeys("lock", "scope", "owner", "holder", "token")
                .hasEntrySatisfying(
                        "holder", label -> assertThat(label.toString()).endsWith("/main"))
                .containsEntry("lock", "account.42, zone.1")
                .containsEntry("scope", "account+zone")
                .containsEntry("owner", lease.owner())
                .containsEntry("token", lease.fencingToken());
    }

    private List<ILoggingEvent> losses() {
        return events.stream()
                .filter(event ->
                        event.getLevel() == Level.WARN && event.getLoggerName().equals(Acquisition.class.getName()))
                .toList();
    }

    @Test
    void shortWaitIsNotLogged() {
        Lease held = other.acquire(REQUEST);
        CompletableFuture<Lease> waiting = locks.acquireAsync(REQUEST).toCompletableFuture();
        clock.advance(Duration.ofSeconds(4));
        held.close();
        await().until(waiting::isDone);
        clock.advance(Duration.ofSeconds(10));
        assertThat(warnings()).isEmpty();
    }

    @Test
    void ordinaryTimeOutLeavesNoStackTrace() {
        try (Lease held = other.acquire(REQUEST)) {
            assertThatThrownBy(() -> locks.execute(REQUEST.waitTime(Duration.ZERO), lease -> 1))
                    .isInstanceOf(LockTimeoutException.class);
        }
        assertThat(events).allMatch(event -> event.getThrowableProxy() == null);
        assertThat(warnings()).isEmpty();
    }

    private List<ILoggingEvent> warnings() {
        return events.stream()
                .filter(event ->
                        event.getLevel() == Level.WARN && event.getLoggerName().equals(LoggingRequestLog.CATEGORY))
                .toList();
    }

    private static Map<String, Object> pairs(ILoggingEvent event) {
        return event.getKeyValuePairs().stream().collect(Collectors.toMap(pair -> pair.key, pair -> pair.value));
    }
}
