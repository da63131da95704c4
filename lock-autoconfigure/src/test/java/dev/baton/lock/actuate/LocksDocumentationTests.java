package dev.baton.lock.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import dev.baton.lock.Lease;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.jackson.EndpointJsonMapper;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests that the examples of {@code docs/actuator.md} have the fields and types of the answers of the endpoint. */
class LocksDocumentationTests {

    private static final Pattern EXAMPLE = Pattern.compile("\n(`[^\n]+):\n\n```json\n(.+?)\n```\n", Pattern.DOTALL);
    private static final String OWN = "`GET /actuator/locks`";
    private static final LockRequest A = LockRequest.of("account", 42);
    private static final LockRequest B = LockRequest.of("account", 43);
    private static final LockRequest SHARED =
            LockRequest.of("catalog", "eu").mode(LockMode.SHARED).onLost(OnLost.LOG);

    private static final LockRequest PERMITS = LockRequest.of("gateway", "eu").permits(3);
    private static final LockRequest QUEUE = LockRequest.of("stock", 7);

    /** Uses two processes in a deadlock, so that every field has a value. */
    @Test
    void examplesMatchTheAnswersOfTheEndpoint() throws Exception {
        InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
        CurrentLocks current = new CurrentLocks();
        try (LockTemplate locks = process(store, current);
                LockTemplate other = process(store.newProcess(), new CurrentLocks());
                Lease mine = locks.acquire(A.owner("mine").onLost(OnLost.LOG));
                Lease theirs = other.acquire(B.owner("theirs"))) {
            LocksEndpoint endpoint =
                    new LocksEndpoint(locks, current, new ForceReleaseAudit(event -> {}), Show.ALWAYS, Set.of());
            List<CompletableFuture<Lease>> waiting = List.of(
                    locks.acquireAsync(B.owner("mine")).toCompletableFuture(),
                    other.acquireAsync(A.owner("theirs")).toCompletableFuture());
            await().until(() -> !((LockReports.Instance) endpoint.locks(null, null))
                    .deadlocks()
                    .isEmpty());
            CompletableFuture<Boolean> taker = atCondition(locks);
            await().until(() -> !current.atConditions().isEmpty() && !locks.isLocked(QUEUE));
            Map<String, Object> answers = answers(endpoint, current);
            other.signalUnchecked(QUEUE, "notEmpty");
            assertThat(taker.get(30, TimeUnit.SECONDS)).isTrue();
            waiting.forEach(request -> request.cancel(false));
            try (Lease one = locks.acquire(SHARED);
                    Lease two = other.acquire(SHARED)) {
                assertThat(one.fencingToken()).isEqualTo(two.fencingToken());
                answers.put(
                        "`GET /actuator/locks/catalog.eu`, which is shared by two readers",
                        endpoint.lock("catalog.eu", null, null));
            }
            try (Lease one = locks.acquire(PERMITS);
                    Lease two = other.acquire(PERMITS)) {
                assertThat(one.fencingToken()).isNotEqualTo(two.fencingToken());
                answers.put("`GET /actuator/locks/gateway.eu?semaphore=true`", endpoint.lock("gateway.eu", null, true));
            }
            assertExamplesAre(answers);
        }
    }

    private static CompletableFuture<Boolean> atCondition(LockTemplate locks) {
        return CompletableFuture.supplyAsync(() -> {
            try (Lease lease = locks.acquire(QUEUE.waitUnbounded())) {
                return lease.condition("notEmpty").await(Duration.ofSeconds(60)).inTime();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        });
    }

    private static Map<String, Object> answers(LocksEndpoint endpoint, CurrentLocks current) {
        LockReports.Fleet fleet = (LockReports.Fleet) endpoint.locks(null, "0");
        Map<String, Object> answers = new LinkedHashMap<>();
        answers.put(OWN, endpoint.locks(null, null));
        answers.put(
                "`GET /actuator/locks` where Redis cannot be asked",
                LockReports.withoutStore(
                        "down", current.held(), current.waiting(), current.atConditions(), NameView.SHOWN));
        answers.put("`GET /actuator/locks/account.42`", endpoint.lock("account.42", null, null));
        answers.put("`GET /actuator/locks?cursor=0`", new LockReports.Fleet(fleet.locks(), "2816", fleet.deadlocks()));
        answers.put("`DELETE /actuator/locks/account.42`", endpoint.forceRelease("account.42", null, null));
        return answers;
    }

    private static void assertExamplesAre(Map<String, Object> answers) throws IOException {
        Map<String, String> examples = examples();
        assertThat(examples.keySet()).containsExactlyElementsOf(answers.keySet());
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(JacksonEndpointAutoConfiguration.class))
                .run(context -> answers.forEach((request, answer) -> {
                    String json =
                            context.getBean(EndpointJsonMapper.class).get().writeValueAsString(answer);
                    Map<String, Set<String>> shown = fields(examples.get(request));
                    assertThat(fields(json)).as(request).containsAllEntriesOf(shown);
                    assertThat(shown.keySet())
                            .as(request)
                            .containsAll(request.equals(OWN) ? fields(json).keySet() : Set.of("$"));
                }));
    }

    /** Returns the examples by the line above each. */
    private static Map<String, String> examples() throws IOException {
        Matcher matcher = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "actuator.md")));
        Map<String, String> examples = new LinkedHashMap<>();
        while (matcher.find()) {
            examples.put(matcher.group(1), matcher.group(2));
        }
        return examples;
    }

    /**
     * Returns the fields of each object with their types, by the path of the object. An empty list has no fields; all
     * examples but the first may contain empty lists.
     */
    private static Map<String, Set<String>> fields(String json) {
        Map<String, Set<String>> fields = new TreeMap<>();
        collect("$", JsonPath.read(json, "$"), fields);
        return fields;
    }

    private static void collect(String path, Object value, Map<String, Set<String>> fields) {
        if (value instanceof Map<?, ?> object) {
            Set<String> own = fields.computeIfAbsent(path, unknown -> new TreeSet<>());
            object.forEach((name, field) -> {
                own.add(name + ": " + type(field));
                collect(path + "." + name, field, fields);
            });
        } else if (value instanceof List<?> list) {
            list.forEach(element -> collect(path + "[]", element, fields));
        }
    }

    private static String type(Object value) {
        if (value instanceof Map) {
            return "object";
        }
        if (value instanceof List) {
            return "list";
        }
        return value instanceof Number ? "number" : value instanceof Boolean ? "boolean" : "text";
    }

    private static LockTemplate process(InMemoryLockStore store, CurrentLocks current) {
        return LockTemplate.builder(store)
                .time(store.clock())
                .listener(current)
                .shutdownAwait(Duration.ZERO)
                .build();
    }
}
