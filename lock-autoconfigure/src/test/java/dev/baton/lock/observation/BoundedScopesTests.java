package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests which scopes have a value of their own. */
class BoundedScopesTests {

    private final List<String> made = new CopyOnWriteArrayList<>();
    private final BoundedScopes<String> scopes = scopes(2);

    private BoundedScopes<String> scopes(int max) {
        return new BoundedScopes<>(
                max,
                scope -> {
                    made.add(scope);
                    return "of " + scope;
                },
                LoggerFactory.getLogger(BoundedScopesTests.class),
                "things");
    }

    @Test
    void firstScopesHaveTheirOwnValueAndTheOthersShareOne() {
        for (int time = 0; time < 2; time++) {
            assertThat(List.of("a", "b", "c", "d"))
                    .map(scopes::of)
                    .containsExactly("of a", "of b", "of other", "of other");
        }
        assertThat(made).containsExactly("a", "b", "other");
    }

    @Test
    void ownValueIsCreatedOnlyIfThereIsRoom() {
        assertThat(List.of("a", "other", "b", "c", "a"))
                .map(scopes::own)
                .containsExactly(
                        Optional.of("of a"),
                        Optional.empty(),
                        Optional.of("of b"),
                        Optional.empty(),
                        Optional.of("of a"));
        assertThat(made).containsExactly("a", "b");
        assertThat(scopes.of("c")).isEqualTo("of other");
    }

    @Test
    void scopeWithTheSharedNameTakesNoPlace() {
        assertThat(List.of("other", "a", "b", "c"))
                .map(scopes::of)
                .containsExactly("of other", "of a", "of b", "of other");
        assertThat(made).containsExactly("other", "a", "b");
    }

    @Test
    void valuesAreCreatedOnDemand() {
        assertThat(scopes.of("a")).isEqualTo("of a");
        assertThat(made).containsExactly("a");
    }

    /**
     * A scope that starts with its own value must also end with it, so a caller must not get the shared value
     * meanwhile.
     */
    @Test
    void callerWaitsForAValueThatIsBeingCreated() throws Exception {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        BoundedScopes<String> slow = new BoundedScopes<>(
                1,
                scope -> {
                    if (!scope.equals("other")) {
                        making.countDown();
                        awaitUninterruptibly(go);
                    }
                    return "of " + scope;
                },
                LoggerFactory.getLogger(BoundedScopesTests.class),
                "things");
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> slow.of("a"));
        making.await();
        assertThat(slow.of("b")).isEqualTo("of other");
        CompletableFuture<String> second = new CompletableFuture<>();
        Thread asking = new Thread(() -> second.complete(slow.of("a")));
        asking.start();
        await().until(() -> second.isDone() || asking.getState() == Thread.State.BLOCKED);
        go.countDown();
        assertThat(first.get()).isEqualTo("of a");
        assertThat(second.get()).isEqualTo("of a");
    }

    @Test
    void concurrentScopesDoNotExceedTheLimit() {
        AtomicInteger next = new AtomicInteger();
        BoundedScopes<String> many = scopes(5);
        CompletableFuture<?>[] asking = new CompletableFuture<?>[8];
        for (int i = 0; i < asking.length; i++) {
            asking[i] = CompletableFuture.runAsync(() -> {
                for (int scope = next.getAndIncrement(); scope < 5_000; scope = next.getAndIncrement()) {
                    String known = many.of("scope-" + scope % 50);
                    assertThat(many.of("scope-" + scope % 50)).isSameAs(known);
                }
            });
        }
        CompletableFuture.allOf(asking).join();
        assertThat(made).hasSize(6).doesNotHaveDuplicates().contains("other");
    }

    @Test
    void atLeastOneScopeHasItsOwnValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scopes(0))
                .withMessage("max scopes of 0 is too small; use at least 1");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", ex);
        }
    }
}
