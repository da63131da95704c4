package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.Renewal;
import dev.baton.lock.redis.AclLog;
import dev.baton.lock.redis.DocumentedCommands;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Looking at locks, listing them and taking them away, from a process that does not hold them. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#all")
class InspectionTests extends OnBackend {

    private static final LockRequest REQUEST =
            LockRequest.of("server_access", 42).expire(Duration.ofSeconds(60));
    private static final Duration NEVER = Duration.ofSeconds(30);

    private LockTemplate one;
    private LockTemplate other;

    InspectionTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        // so that nothing is noticed by asking again
        one = processes.start(builder -> builder.recheck(NEVER));
        other = processes.start(builder -> builder.recheck(NEVER));
    }

    @Test
    void freeLockIsFree() {
        LockState state = other.inspect(REQUEST);
        assertThat(state).isEqualTo(new LockState("", "server_access.42", state.holder(), List.of(), 0));
        assertThat(state.isLocked()).isFalse();
        assertThat(state.remaining()).isZero();
        assertThat(other.isLocked(REQUEST)).isFalse();
        assertThat(other.forceRelease(REQUEST)).isFalse();
    }

    @Test
    void holderAndWaitersAreSeenByAnother() throws Exception {
        Lease lease = one.acquire(REQUEST);
        CompletableFuture<Void> second = waiting(one, "second");
        awaitWaiting(1);
        CompletableFuture<Void> third = waiting(other, "third");
        awaitWaiting(2);
        LockState state = other.inspect(REQUEST);
        LockHolder holder = state.holder().orElseThrow();
        assertThat(holder.owner()).isEqualTo(lease.owner());
        assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(holder.label()).endsWith("/" + Thread.currentThread().getName());
        assertThat(state.remaining()).isEqualTo(holder.remaining()).isBetween(NEVER, Duration.ofSeconds(60));
        assertThat(state.waiters())
                .extracting(LockWaiter::label)
                .satisfiesExactly(
                        label -> assertThat(label).endsWith("/second"),
                        label -> assertThat(label).endsWith("/third"));
        assertThat(state.waiters()).extracting(LockWaiter::waitedFor).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(state.waiting()).isEqualTo(2);
        assertThat(other.isLocked(REQUEST)).isTrue();
        lease.release();
        second.get(5, TimeUnit.SECONDS);
        third.get(5, TimeUnit.SECONDS);
        assertThat(other.isLocked(REQUEST)).isFalse();
    }

    @Test
    void ofManyWaitersTheFirstAreNamedAndAllAreCounted() throws Exception {
        Lease lease = one.acquire(REQUEST);
        List<CompletableFuture<Void>> waiters = IntStream.range(0, LockState.MOST_WAITERS + 20)
                .mapToObj(i -> waiting(one, "w" + i))
                .toList();
        awaitWaiting(LockState.MOST_WAITERS + 20);
        assertThat(other.inspect(REQUEST).waiters()).hasSize(LockState.MOST_WAITERS);
        lease.release();
        for (CompletableFuture<Void> waiter : waiters) {
            waiter.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void inspectLooksAtOneLockAndIsLockedAtAny() {
        LockRequest both = REQUEST.and(LockRequest.of("x"));
        assertThatThrownBy(() -> other.inspect(both))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 (server_access.42, x.global)");
        assertThat(other.isLocked(both)).isFalse();
        one.acquire(LockRequest.of("x"));
        assertThat(other.isLocked(both)).isTrue();
        assertThat(other.forceRelease(both)).isTrue();
        assertThat(other.isLocked(both)).isFalse();
    }

    @Test
    void forceReleaseTellsTheHolderAtOnce() throws Exception {
        Lease lease = one.acquire(REQUEST);
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLost(lost::countDown);
        assertThat(other.forceRelease(REQUEST)).isTrue();
        assertThat(lost.await(2, TimeUnit.SECONDS)).as("told").isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.renew()).isFalse();
        assertThatThrownBy(lease::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("it was force-released");
        assertThat(other.tryAcquire(REQUEST)).isPresent();
        await().until(() -> one.engine().openRequests() == 0);
    }

    @Test
    void forceReleaseHandsTheLockToTheFirstWaiter() throws Exception {
        Lease lease = one.acquire(REQUEST);
        CompletableFuture<Lease> next = CompletableFuture.supplyAsync(() -> other.acquire(REQUEST));
        awaitWaiting(1);
        assertThat(other.forceRelease(REQUEST)).isTrue();
        Lease granted = next.get(2, TimeUnit.SECONDS);
        assertThat(granted.fencingToken()).isGreaterThan(lease.fencingToken());
        await().atMost(Duration.ofSeconds(2)).until(() -> !lease.isHeld());
        assertThat(lease.release()).isFalse();
        assertThat(granted.isHeld()).isTrue();
        assertThat(granted.release()).isTrue();
    }

    @Test
    void ownProcessCanTakeItsLockAwayToo() throws Exception {
        Lease lease = one.acquire(REQUEST);
        assertThat(one.forceRelease(REQUEST)).isTrue();
        await().atMost(Duration.ofSeconds(2)).until(() -> !lease.isHeld());
        assertThat(one.acquire(REQUEST).isHeld())
                .as("its owner may have it again")
                .isTrue();
        assertThatThrownBy(lease::close).as("told at its close").isInstanceOf(LockLostException.class);
    }

    @Test
    void holderThatIsNotToldNoticesAtItsRenewal() {
        Lease lease =
                one.acquire(LockRequest.of("x").expire(Duration.ofSeconds(1)).renew(Renewal.ALWAYS));
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels");
        assertThat(other.forceRelease(LockRequest.of("x"))).isTrue();
        await().atMost(Duration.ofSeconds(2)).until(() -> !lease.isHeld());
        Backend.allow(redis, DocumentedCommands.needed());
        // of the channels that it had no right to
        AclLog.clear(redis);
    }

    @Test
    void listHasTheHeldLocksOfItsNamespaceThatAreLikeThePattern() throws Exception {
        LockOperations orders = one.withNamespace("orders").withNamespace("eu");
        List<LockRequest> held = List.of(
                LockRequest.of("server_access", 1),
                LockRequest.of("server_access", "a*b"),
                LockRequest.of("server_access", "a}b{c}[d]"),
                LockRequest.of("server_access", "line\nbreak ü"),
                LockRequest.of("server_access", ":lock:"));
        held.forEach(one::acquire);
        one.acquire(LockRequest.of("other", 1));
        orders.acquire(LockRequest.of("server_access", 9));
        CompletableFuture<Void> waiter = waiting(other.withNamespace("orders:eu"), LockRequest.of("server_access", 9));
        awaitWaiting(orders, LockRequest.of("server_access", 9), 1);

        assertThat(names(other.list("server_access.*")))
                .containsExactlyInAnyOrderElementsOf(
                        held.stream().map(LockRequest::name).toList());
        assertThat(names(other.list("*"))).hasSize(6);
        assertThat(names(other.list("?ther.1"))).containsExactly("other.1");
        assertThat(names(other.list("*.a\\*b"))).containsExactly("server_access.a*b");
        assertThat(names(other.list("*[d]"))).containsExactly("server_access.a}b{c}[d]");
        assertThat(names(other.list("*\nbreak ?"))).containsExactly("server_access.line\nbreak ü");
        assertThat(names(other.list("server_access"))).isEmpty();

        List<LockState> nested = other.withNamespace("orders").list("*", "eu").toList();
        assertThat(nested).extracting(LockState::name).containsExactly("server_access.9");
        assertThat(nested.get(0).namespace()).isEqualTo("orders:eu");
        assertThat(nested.get(0).waiting()).isEqualTo(1);
        assertThat(names(other.withNamespace("orders").list("*"))).isEmpty();
        assertThat(orders.isLocked(LockRequest.of("server_access", 9))).isTrue();
        assertThat(orders.inspect(LockRequest.of("server_access", 9)).waiting()).isEqualTo(1);
        assertThat(orders.forceRelease(LockRequest.of("server_access", 9))).isTrue();
        waiter.get(5, TimeUnit.SECONDS);
        assertThat(one.isLocked(LockRequest.of("server_access", 9))).isFalse();
    }

    @Test
    void listIsReadPageByPageAndEndsWhenItIsClosed() {
        for (int i = 0; i < 5_000; i++) {
            redis.command("SET", "other:" + i, "x");
        }
        IntStream.range(0, 50).forEach(i -> one.acquire(LockRequest.of("x", i)));
        assertThat(names(other.list("x.*"))).doesNotHaveDuplicates().hasSize(50);
        redis.resetStats();
        Stream<LockState> stream = other.list("x.*");
        assertThat(redis.commandStats()).as("asks when it is read").doesNotContainKey("scan");
        Iterator<LockState> states = stream.iterator();
        assertThat(states.next().isLocked()).isTrue();
        assertThat(redis.commandStats().get("scan")).as("not all").isLessThan(5L);
        stream.close();
        while (states.hasNext()) {
            states.next();
        }
        assertThat(redis.commandStats().get("scan")).isLessThan(6L);
    }

    @Test
    void whatIsGivenBackMeanwhileIsNotListed() {
        Lease lease = one.acquire(LockRequest.of("x"));
        Stream<LockState> stream = other.list("*");
        lease.release();
        assertThat(stream).isEmpty();
    }

    @Test
    void emptyPatternAndBadNamespaceAreRefusedAtOnce() {
        assertThatThrownBy(() -> other.list(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.list("a\\")).hasMessageContaining("backslash");
        assertThatThrownBy(() -> other.list("*", "a{b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void redisThatDoesNotAnswerIsAnErrorInTime() {
        LockTemplate quick = processes.start(builder -> builder.commandTimeout(Duration.ofMillis(200)));
        Lease lease = one.acquire(REQUEST);
        redis.command("CLIENT", "PAUSE", "1500", "ALL");
        long asked = System.nanoTime();
        assertThatThrownBy(() -> quick.inspect(REQUEST))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("did not answer within 200 ms (inspect.lua)");
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(1));
        assertThat(lease.release()).isTrue();
    }

    @Test
    void stoppedTemplateIsNotAsked() {
        other.close();
        assertThatThrownBy(() -> other.isLocked(REQUEST)).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> other.list("*").toList()).isInstanceOf(LockStoreException.class);
    }

    private CompletableFuture<Void> waiting(LockTemplate template, String thread) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread started = new Thread(
                () -> {
                    template.executeWithoutResult(REQUEST.waitUnbounded(), lease -> {});
                    done.complete(null);
                },
                thread);
        started.setDaemon(true);
        started.start();
        return done;
    }

    private static CompletableFuture<Void> waiting(LockOperations operations, LockRequest request) {
        return CompletableFuture.runAsync(() -> operations.executeWithoutResult(request, lease -> {}));
    }

    private void awaitWaiting(long count) {
        awaitWaiting(other, REQUEST, count);
    }

    private static void awaitWaiting(LockOperations operations, LockRequest request, long count) {
        await().until(() -> operations.inspect(request).waiting() == count);
    }

    private static List<String> names(Stream<LockState> states) {
        return states.map(LockState::name).toList();
    }
}
