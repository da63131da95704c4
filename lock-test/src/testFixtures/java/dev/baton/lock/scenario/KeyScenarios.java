package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names and nested namespaces, through a real acquire, hand-over and release. */
public abstract class KeyScenarios extends Scenarios {

    /** Keys that might be taken for something else. */
    protected static final List<String> KEYS = List.of(
            "a{}b",
            "}x{",
            "{t}a",
            "{",
            "}",
            "{}",
            "{{}}",
            "a{b",
            "line 1\nline 2\r\n",
            "100%",
            "%7B",
            "a:b",
            "*?[a-z]\\",
            " x",
            "ü€😀",
            "\0",
            "k".repeat(10_240));

    private static final LockRequest NESTED = LockRequest.of("x").namespace("orders:eu");

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        // a waiter that asks again would come much later than one that is told
        one = fleet.start(builder -> builder.recheck(Duration.ofSeconds(20)));
        other = fleet.start(builder -> builder.recheck(Duration.ofSeconds(20)));
    }

    @Test
    void anyKeyIsContendedAndReleased() throws Exception {
        for (String key : KEYS) {
            handOver(LockRequest.of("x", key));
        }
        fleet.assertNothingLeft();
    }

    @Test
    void differentKeysAreDifferentLocks() {
        List<LockRequest> requests = distinctRequests();
        List<Lease> leases = requests.stream()
                .map(request -> one.tryAcquire(request).orElseThrow())
                .toList();
        assertThat(leases.stream().flatMap(lease -> lease.redisKeys().stream())).doesNotHaveDuplicates();
        assertThat(requests).allMatch(other::isLocked);
        leases.forEach(Lease::close);
        fleet.assertNothingLeft();
    }

    /** Returns requests that no process holds twice, each for another lock. */
    protected static List<LockRequest> distinctRequests() {
        return Stream.concat(KEYS.stream(), Stream.of("t", "x", "a", "b", "100", "%", "%2525"))
                .map(key -> LockRequest.of("x", key).reentrant(false))
                .toList();
    }

    @Test
    void nestedNamespaceOfTwoLevels() throws Exception {
        handOver(NESTED);
        try (Lease lease = one.acquire(NESTED)) {
            assertThat(lease.isHeld()).isTrue();
            one.withNamespace("orders").acquire(LockRequest.of("x")).close();
            assertThat(other.withNamespace("orders").withNamespace("eu").tryAcquire(LockRequest.of("x")))
                    .isEmpty();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void namespaceThatCouldBeTakenForAKindIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("x").namespace("orders:queue"));
    }

    /** One process holds, the other waits and is told by the release. */
    private void handOver(LockRequest request) throws Exception {
        Lease lease = one.acquire(request);
        Future<Boolean> waiter = fleet.begin(() -> other.execute(request, Lease::isHeld));
        fleet.awaitWaiting(request, 1);
        lease.close();
        assertThat(fleet.get(waiter, Duration.ofSeconds(5))).isTrue();
    }
}
