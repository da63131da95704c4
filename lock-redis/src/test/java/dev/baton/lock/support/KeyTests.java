package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Names and namespaces, through a real acquire, hand-over and release. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class KeyTests extends OnBackend {

    private static final List<String> KEYS = List.of(
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

    KeyTests(Backend backend) {
        super(backend);
    }

    @Test
    void anyKeyIsContendedAndReleased() throws Exception {
        try (Processes processes = processes("lock")) {
            LockTemplate one = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            LockTemplate other = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            for (String key : KEYS) {
                handOver(one, other, LockRequest.of("x", key));
            }
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void differentKeysAreDifferentLocks() throws Exception {
        try (Processes processes = processes("lock")) {
            LockTemplate template = processes.start();
            List<Lease> leases = Stream.concat(KEYS.stream(), Stream.of("t", "x", "a", "b", "100", "%", "%2525"))
                    .map(key -> template.tryAcquire(LockRequest.of("x", key).reentrant(false))
                            .orElseThrow())
                    .toList();
            assertThat(leases.stream().flatMap(lease -> lease.redisKeys().stream()))
                    .doesNotHaveDuplicates()
                    .isSubsetOf(redis.keys());
            leases.forEach(Lease::close);
        }
    }

    @Test
    void rootNamespaceOfTwoLevels() throws Exception {
        try (Processes processes = processes("lock:orders")) {
            LockTemplate one = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            LockTemplate other = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            handOver(one, other, LockRequest.of("x"));
            handOver(one, other, LockRequest.of("x").namespace("eu:west"));
            Lease lease = one.acquire(LockRequest.of("x").namespace("eu:west"));
            assertThat(lease.redisKeys()).containsExactly("lock:orders:eu:west:lock:{x.global}");
            lease.close();
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:orders:fence");
    }

    @Test
    void nestedNamespaceOfTwoLevels() throws Exception {
        try (Processes processes = processes("lock")) {
            LockTemplate one = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            LockTemplate other = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            handOver(one, other, LockRequest.of("x").namespace("orders:eu"));
            try (Lease lease = one.acquire(LockRequest.of("x").namespace("orders:eu"))) {
                assertThat(lease.redisKeys()).containsExactly("lock:orders:eu:lock:{x.global}");
                one.withNamespace("orders").acquire(LockRequest.of("x")).close();
                assertThat(other.withNamespace("orders").withNamespace("eu").tryAcquire(LockRequest.of("x")))
                        .isEmpty();
            }
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void namespaceThatCouldBeTakenForAKindIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("x").namespace("orders:queue"));
    }

    /** One holds, the other waits and is told by the release: its recheck would come much later. */
    private void handOver(LockTemplate one, LockTemplate other, LockRequest request) throws Exception {
        Lease lease = one.acquire(request);
        String queue = lease.redisKeys().get(0).replaceFirst("(^|:)lock:(?=[{x])", "$1queue:");
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> other.execute(request, Lease::isHeld));
        await().pollInterval(Duration.ofMillis(5)).until(() -> redis.keys().contains(queue));
        lease.close();
        assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
    }

    private Processes processes(String namespace) {
        return new Processes(() -> backend.connect(redis.host(), redis.port()), store -> store.namespace(namespace));
    }
}
