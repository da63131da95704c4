package dev.baton.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.compatibility.Tickets.Show;
import dev.baton.compatibility.Tickets.Ticket;
import dev.baton.lock.Lease;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.LockTemplate;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Tests two contending applications on a real Redis, for every line of Spring Boot and every driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SmokeTests {

    private static final int THREADS = 4;
    private static final int TURNS = 25;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private ConfigurableApplicationContext first;
    private ConfigurableApplicationContext second;

    /** The value of {@code spring.data.redis.client-type}. */
    abstract String driver();

    /** Returns the nodes of the Redis Cluster to connect to. Empty for one server. */
    String nodes() {
        return "";
    }

    /** Returns a name that is different for each class of tests, because they share a database. */
    private String label() {
        return nodes().isEmpty() ? driver() : driver() + "-cluster";
    }

    @BeforeAll
    void start() {
        first = application();
        second = application();
    }

    private ConfigurableApplicationContext application() {
        String client = "--spring.data.redis.client-type=" + driver();
        return nodes().isEmpty()
                ? Application.start(client)
                : Application.start(client, "--spring.data.redis.cluster.nodes=" + nodes());
    }

    @AfterAll
    void stop() {
        threads.shutdownNow();
        first.close();
        second.close();
    }

    @Test
    void applicationConnectsWithTheDriver() {
        assertThat(first.getBean(RedisConnectionFactory.class).getClass().getSimpleName())
                .isEqualToIgnoringCase(driver() + "ConnectionFactory");
    }

    @Test
    void annotatedMethodIsExecutedByOneAtATimeOverBothApplications() throws Exception {
        Show show = new Show("opera-" + label());
        List<Ticket> tickets = contend(
                LockRequest.of("tickets", show),
                context -> () -> context.getBean(Tickets.class).next(show));
        assertThat(tickets)
                .extracting(Ticket::number)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, THREADS * TURNS).boxed().toList());
        assertThat(tickets).anyMatch(Ticket::contended);
    }

    @Test
    void lockEnclosesTheTransaction() throws Exception {
        BigDecimal before = first.getBean(Ledger.class).balance("till");
        contend(
                LockRequest.of("ledger", "till"),
                context -> () -> context.getBean(Ledger.class).pay("till", BigDecimal.ONE));
        assertThat(second.getBean(Ledger.class).balance("till"))
                .isEqualByComparingTo(before.add(BigDecimal.valueOf(THREADS * TURNS)));
    }

    @Test
    void templateAcquiresTheLockOfTheAnnotation() {
        Show show = new Show("ballet-" + label());
        String answer = locks(first).execute("tickets", show, lease -> {
            assertThat(lease.names()).containsExactly("tickets." + show.id());
            return second.getBean(Tickets.class)
                            .nextNow(show)
                            .map(Ticket::number)
                            .isPresent()
                    ? "drawn"
                    : "skipped";
        });
        assertThat(answer).isEqualTo("skipped");
        assertThat(second.getBean(Tickets.class).nextNow(show))
                .hasValueSatisfying(ticket -> assertThat(ticket.number()).isEqualTo(1));
    }

    @Test
    void handlerIsCalledForABusyLock() {
        Show show = new Show("circus-" + label());
        try (Lease lease = locks(first).acquire(LockRequest.of("tickets", show))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(second.getBean(Tickets.class).nextSoon(show))
                    .isEqualTo("busy: " + show.id() + ", tickets." + show.id());
        }
        assertThat(second.getBean(Tickets.class).nextSoon(show)).isEqualTo("number 1");
    }

    @Test
    void propertiesOfTheScopeApply() {
        int number = driver().length();
        assertThat(first.getBean(Desk.class).serve(number)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        try (Lease lease = locks(first).acquire(LockRequest.of("desk", number))) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> second.getBean(Desk.class).serve(number))
                    .satisfies(ex -> {
                        assertThat(ex.name()).isEqualTo("desk." + number);
                        assertThat(ex.waited()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(8));
                        assertThat(ex.holder()).isPresent();
                    });
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void lossIsPublishedAsAnEvent() {
        LockRequest request = LockRequest.of("lost", driver());
        try (Lease lease = locks(first).tryAcquire(request).orElseThrow()) {
            assertThat(locks(second).forceRelease(request)).isTrue();
            await().untilAsserted(() -> assertThat(first.getBean(Losses.class).events())
                    .flatExtracting(LockLostEvent::names)
                    .containsExactly("lost." + driver()));
            assertThat(lease.release()).isFalse();
        }
        assertThat(second.getBean(Losses.class).events()).isEmpty();
    }

    /** Repeats the same call in both applications with several threads each. The first calls must wait for the lock. */
    private <T> List<T> contend(LockRequest lock, Function<ConfigurableApplicationContext, Callable<T>> call)
            throws Exception {
        List<Future<List<T>>> parts = new ArrayList<>();
        try (Lease untilSomeWait = locks(first).acquire(lock)) {
            for (int i = 0; i < THREADS; i++) {
                Callable<T> turn = call.apply(i % 2 == 0 ? first : second);
                parts.add(threads.submit(() -> {
                    List<T> results = new ArrayList<>();
                    for (int n = 0; n < TURNS; n++) {
                        results.add(turn.call());
                    }
                    return results;
                }));
            }
            await().until(() -> locks(second).inspect(lock).waiting() > 0);
            assertThat(untilSomeWait.release()).isTrue();
        }
        List<T> all = new ArrayList<>();
        for (Future<List<T>> part : parts) {
            all.addAll(part.get());
        }
        return all;
    }

    private static LockTemplate locks(ConfigurableApplicationContext context) {
        return context.getBean(LockTemplate.class);
    }
}
