package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests that line breaks in keys, owners and thread names start no new line in the log or in a message. */
class PrintableTextTests {

    private static final String KEY = "42\nWARN forged\u2028by a key";
    private static final String SHOWN = "order.42\\nWARN forged\\u2028by a key";
    private static final String OWNER = "night\r\njob\u0085\u2029";
    private static final LockRequest REQUEST =
            LockRequest.of("order", KEY).expire(Duration.ofHours(1)).renew(Renewal.NEVER);

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.baton.lock");
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
    private final String thread = Thread.currentThread().getName();

    private LockTemplate template(InMemoryLockStore store) {
        return LockTemplate.builder(store)
                .time(clock)
                .slowWait(Duration.ofSeconds(5))
                .maxHold(Duration.ofHours(3))
                .shutdownAwait(Duration.ZERO)
                .build();
    }

    @BeforeEach
    void listen() {
        Thread.currentThread().setName("http\n7");
        logger.setLevel(Level.DEBUG);
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        Thread.currentThread().setName(thread);
        locks.close();
        other.close();
        logger.detachAppender(appender);
        logger.setLevel(before);
    }

    @Test
    void grantIsOneLine() {
        locks.acquire(REQUEST).close();
        locks.acquire(REQUEST.owner(OWNER)).close();
        assertThat(lines("Lock '" + SHOWN + "' granted to "))
                .satisfiesExactly(
                        line -> assertThat(line).contains("/http\\n7 (token"),
                        line -> assertThat(line).contains("/night\\r\\njob\\u0085\\u2029 (token"));
        assertAllPrintable();
    }

    @Test
    void longWaitIsOneLine() {
        Lease held = other.acquire(REQUEST.owner(OWNER));
        CompletableFuture<Lease> waiting =
                locks.acquireAsync(REQUEST.owner("a\nb").waitUnbounded()).toCompletableFuture();
        clock.advance(Duration.ofSeconds(6));
        await().until(() -> lines("Lock '" + SHOWN + "' still not granted to ").size() == 1);
        held.close();
        await().until(waiting::isDone);
        waiting.join().close();
        assertThat(lines("Lock '" + SHOWN + "' granted to "))
                .anySatisfy(line -> assertThat(line).contains("/a\\nb (token").contains("/night\\r\\njob"));
        assertAllPrintable();
    }

    @Test
    void lossIsOneLineAndItsExceptionKeepsTheName() {
        Lease lease = locks.acquire(REQUEST.owner(OWNER));
        clock.advance(Duration.ofHours(2));
        LockLostException lost = catchThrowableOfType(LockLostException.class, lease::close);
        assertThat(lost).hasMessageStartingWith("Lock '" + SHOWN + "' was lost ");
        assertThat(lost.name()).isEqualTo("order." + KEY);
        assertThat(lost.lostNames()).containsExactly("order." + KEY);
        assertThat(lost.owner()).endsWith(OWNER);
        assertPrintable(lost.getMessage());
        assertPrintable(lease.toString());
        await().until(() -> lines("Lock '" + SHOWN + "' was lost by ").size() == 1);
        assertAllPrintable();
    }

    @Test
    void lossOfSomeLocksKeepsTheNames() {
        LockLostException lost = new LockLostException(
                "order." + KEY + ", order.43", List.of("order." + KEY), "o", 7, Duration.ZERO, "it is over", null);
        assertThat(lost).hasMessageStartingWith("Lock '" + SHOWN + "' of '" + SHOWN + ", order.43' was lost ");
        assertThat(lost.lostNames()).containsExactly("order." + KEY);
    }

    @Test
    void refusalsAreOneLineAndTheirExceptionsKeepTheName() {
        try (Lease held = locks.acquire(REQUEST.owner(OWNER))) {
            LockTimeoutException busy = catchThrowableOfType(
                    LockTimeoutException.class, () -> other.acquire(REQUEST.waitTime(Duration.ZERO)));
            assertThat(busy).hasMessageContaining("'" + SHOWN + "'").hasMessageContaining("/night\\r\\njob\\u0085");
            assertThat(busy.name()).isEqualTo("order." + KEY);
            assertThat(busy.holder().orElseThrow().owner()).isEqualTo(held.owner());
            assertPrintable(busy.getMessage());
            assertPrintable(busy.holder().orElseThrow().toString());

            LockDeadlockException self = catchThrowableOfType(
                    LockDeadlockException.class,
                    () -> locks.acquire(REQUEST.owner(OWNER).reentrant(false)));
            assertThat(self.name()).isEqualTo("order." + KEY);
            assertPrintable(self.getMessage());
            assertThat(catchThrowable(() -> locks.acquire(
                            REQUEST.and(LockRequest.of("order", "a\tb")).owner(OWNER))))
                    .isInstanceOf(LockDeadlockException.class)
                    .satisfies(ex -> assertPrintable(ex.getMessage()));
        }
        Lease over = locks.acquire(REQUEST);
        over.close();
        assertPrintable(catchThrowable(() -> over.renewOrReacquire(Duration.ofSeconds(1)))
                .getMessage());
        assertPrintable(catchThrowable(() -> locks.acquire(REQUEST.onLost(OnLost.INTERRUPT)))
                .getMessage());
        assertPrintable(catchThrowable(() -> locks.acquire(REQUEST.expire(null).holdAtLeast(Duration.ofDays(1))))
                .getMessage());
        assertPrintable(catchThrowable(() -> locks.inspect(REQUEST.and(LockRequest.of("order", "a\tb"))))
                .getMessage());
        assertAllPrintable();
    }

    @Test
    void forcedReleaseIsOneLine() {
        locks.acquire(REQUEST.owner(OWNER).onLost(OnLost.LOG));
        other.forceRelease(REQUEST);
        assertThat(lines("Lock '" + SHOWN + "' was force-released; it was held by "))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("/night\\r\\njob\\u0085\\u2029 for "));
        assertAllPrintable();
    }

    @Test
    void endOfRenewalIsOneLine() {
        locks.acquire(REQUEST.owner(OWNER).renew(Renewal.ALWAYS));
        for (int minutes = 0; minutes < 4 * 60; minutes += 10) {
            clock.advance(Duration.ofMinutes(10));
        }
        await().until(() -> lines("Lock '" + SHOWN + "' has been held by ").size() == 1);
        assertAllPrintable();
    }

    @Test
    void stopIsOneLine() {
        locks.acquire(REQUEST.owner(OWNER));
        locks.close();
        assertThat(lines("Stopping while 1 lock(s) are held"))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith("[" + SHOWN + "]"));
        LockStoreException stopped = catchThrowableOfType(LockStoreException.class, () -> locks.acquire(REQUEST));
        assertThat(stopped).hasMessageContaining("'" + SHOWN + "'");
        assertThat(stopped.name()).isEqualTo("order." + KEY);
        assertAllPrintable();
    }

    @Test
    void mutexIsOneLine() {
        DistributedMutex mutex = locks.mutex(REQUEST);
        assertThat(mutex).hasToString("DistributedMutex '" + SHOWN + "' (not taken by this process)");
        mutex.lock();
        try {
            assertThat(mutex).hasToString("DistributedMutex '" + SHOWN + "' (taken by thread 'http\\n7')");
        } finally {
            mutex.unlock();
        }
        assertThatThrownBy(mutex::unlock).hasMessageContaining("lock '" + SHOWN + "' is not held by thread 'http\\n7'");
        assertPrintable(catchThrowable(mutex.newCondition()::signal).getMessage());
        assertPrintable(catchThrowable(() -> mutex.condition("a\nb")).getMessage());
        assertPrintable(catchThrowable(() -> locks.mutex(REQUEST.owner(OWNER))).getMessage());
    }

    @Test
    void listenerGetsTheOriginalNamesAndAPrintableTitle() {
        List<LockListener.Request> requests = new ArrayList<>();
        try (LockTemplate told = LockTemplate.builder(store.newProcess())
                .time(clock)
                .listener(new LockListener() {
                    @Override
                    public void granted(Granted event) {
                        requests.add(event.request());
                    }
                })
                .build()) {
            told.acquire(REQUEST.owner(OWNER)).close();
        }
        assertThat(requests).singleElement().satisfies(request -> {
            assertThat(request.names()).containsExactly("order." + KEY);
            assertThat(request.owner()).endsWith(OWNER);
            assertThat(request.title()).isEqualTo(SHOWN);
            assertThat(request.label()).endsWith("/night\\r\\njob\\u0085\\u2029");
        });
    }

    private List<String> lines(String beginning) {
        return events.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith(beginning))
                .toList();
    }

    /** Asserts that all lines of the log and their key-value pairs are printable. */
    private void assertAllPrintable() {
        assertThat(events).isNotEmpty();
        assertThat(events)
                .flatMap(event -> Stream.concat(
                                Stream.of(event.getFormattedMessage()),
                                event.getKeyValuePairs() == null
                                        ? Stream.empty()
                                        : event.getKeyValuePairs().stream().map(pair -> String.valueOf(pair.value)))
                        .toList())
                .allSatisfy(PrintableTextTests::assertPrintable);
    }

    private static void assertPrintable(String text) {
        assertThat(text.chars().filter(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029'))
                .as("control characters of: %s", text)
                .isEmpty();
    }
}
