package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.LEASE;
import static dev.baton.lock.redis.StoreUser.NAME;
import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockHandler;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.StoreUser.InboxGrant;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.Backend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the answers and messages of the store on Redis, by script and by transaction. */
@ParameterizedClass
@MethodSource("stores")
class RedisLockStoreTests {

    private final Backend backend;
    private final LockHandler handler;
    private TestRedis redis;
    private StoreUser a;
    private StoreUser b;

    RedisLockStoreTests(Backend backend, LockHandler handler) {
        this.backend = backend;
        this.handler = handler;
    }

    static Stream<Arguments> stores() {
        return Backend.all().stream()
                .flatMap(backend -> Stream.of(LockHandler.SCRIPT, LockHandler.TRANSACTION)
                        .map(handler -> Arguments.of(backend, handler)));
    }

    @BeforeEach
    void start() {
        redis = backend.startOpenRedis();
        a = new StoreUser(backend.connect(redis.host(), redis.port()), "a", this::configure).awaitListening();
        b = new StoreUser(backend.connect(redis.host(), redis.port()), "b", this::configure).awaitListening();
    }

    private void configure(RedisLockStore.Builder store) {
        store.handler(handler);
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
        redis.close();
    }

    @Test
    void freeLockIsGrantedAndARepeatIsTheSameGrant() throws Exception {
        AcquireReply first = answer(a.acquire(a.request(1, Kind.TRY)));
        assertThat(first).matches(reply -> !reply.incomplete() && !reply.possiblyRepeated() && !reply.unsubscribed());
        Granted granted = (Granted) first.answers().get(0);
        assertThat(granted.token()).isPositive();
        assertThat(granted.again()).isFalse();
        assertThat(answer(a.acquire(a.request(1, Kind.TRY))).answers())
                .containsExactly(new Granted(granted.token(), true));
        assertThat(redis.command("PTTL", "lock:lock:{orders.1}"))
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isBetween(LEASE - 5_000, LEASE);
    }

    @Test
    void heldLockIsBusyAndNamesItsHolder() throws Exception {
        long token = granted(a, 1);
        AcquireReply reply = answer(b.acquire(b.request(1, Kind.MESSAGE), b.request(2, Kind.TRY)));
        Busy busy = (Busy) reply.answers().get(0);
        assertThat(reply.answers()).containsExactly(busy, busy);
        assertThat(busy.mark()).isEqualTo(token);
        assertThat(busy.holder()).satisfies(holder -> {
            assertThat(holder.owner()).isEqualTo("owner-1");
            assertThat(holder.label()).isEqualTo("label ü 1");
            assertThat(holder.fencingToken()).isEqualTo(token);
            assertThat(holder.remaining()).isBetween(Duration.ofMillis(LEASE - 5_000), Duration.ofMillis(LEASE));
        });
        assertThat(redis.command("ZCARD", "lock:queue:{orders.1}"))
                .as("only a waiter is reported as deaf")
                .isEqualTo(1L);
    }

    @Test
    void endOfTheHolderNotifiesTheFirstWaiter() throws Exception {
        long token = granted(a, 1);
        answer(b.acquire(b.request(1, Kind.MESSAGE), b.request(2, Kind.MESSAGE)));
        assertThat(answer(a.end(1, 0))).isEqualTo(new EndReply(Role.HOLDER, List.of(), false, false, List.of("b:1")));
        InboxGrant told = b.told.poll(5, TimeUnit.SECONDS);
        assertThat(told.name()).isEqualTo(NAME);
        assertThat(told.id()).isEqualTo(b.id(1));
        assertThat(told.token()).isGreaterThan(token);
        assertThat(answer(b.acquire(b.request(1, Kind.MESSAGE))).answers())
                .containsExactly(new Granted(told.token(), true));
        assertThat(b.told).isEmpty();
        assertThat(a.told).isEmpty();
    }

    @Test
    void endsMayBeRepeatedAndAffectOnlyTheirOwnRequest() throws Exception {
        granted(a, 1);
        answer(b.acquire(b.request(1, Kind.POLL)));
        assertThat(answer(b.end(1, 0)).role()).isEqualTo(Role.WAITER);
        assertThat(answer(b.end(1, 0)).role()).isEqualTo(Role.NOTHING);
        assertThat(answer(a.end(1, 0)).role()).isEqualTo(Role.HOLDER);
        assertThat(answer(a.end(1, 0)).role()).isEqualTo(Role.NOTHING);
        assertThat(keys()).containsExactly("lock:fence");
    }

    /** Returns the keys except those of processes that once waited. */
    private List<String> keys() {
        return redis.keys().stream()
                .filter(key -> !key.contains(":wait:") || redis.ttl(key) < 0)
                .toList();
    }

    @Test
    void acquireAfterAMarkedEndIsOver() throws Exception {
        answer(a.end(1, 30_000));
        assertThat(answer(a.acquire(a.request(1, Kind.MESSAGE), a.request(2, Kind.MESSAGE)))
                        .answers())
                .hasExactlyElementsOfTypes(Over.class, Granted.class);
        assertThat(redis.ttl("lock:over:{orders.1}:a:1")).isBetween(20_000L, 30_000L);
    }

    @Test
    void renewalReportsTheHeldLeases() throws Exception {
        granted(a, 1);
        assertThat(answer(a.renew(60_000, 1, 2))).containsExactly(true, false);
        assertThat(redis.ttl("lock:lock:{orders.1}")).isGreaterThan(50_000);
        assertThat(answer(a.renew(0, 1))).containsExactly(true);
        assertThat(answer(b.renew(0, 1))).containsExactly(false);
        assertThat(redis.ttl("lock:lock:{orders.1}")).isGreaterThan(50_000);
    }

    @Test
    void waiterWithoutASubscriptionIsReportedByTheStore() throws Exception {
        granted(a, 1);
        assertThat(answer(b.acquire(b.request(1, Kind.MESSAGE))).unsubscribed()).isFalse();
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        await().until(() -> redis.command("PUBSUB", "CHANNELS").toString().equals("[]"));
        // less than a quarter of a recheck ago, the inbox is not checked again
        redis.command("HDEL", "lock:wait:{orders.1}", "b:");
        assertThat(answer(b.acquire(b.request(1, Kind.MESSAGE))).unsubscribed()).isTrue();
    }

    @Test
    void longQueueOfDeadWaitersIsCleanedInSteps() throws Exception {
        granted(a, 1);
        for (int from = 0; from < 1_280; from += 256) {
            answer(b.acquire(IntStream.range(from, from + 256)
                    .mapToObj(number -> b.request(number, Kind.MESSAGE, 1))
                    .toArray(Request[]::new)));
        }
        await().pollDelay(Duration.ofMillis(5)).until(() -> true);
        EndReply first = answer(a.end(1, 0));
        assertThat(first).isEqualTo(new EndReply(Role.HOLDER, List.of(), true, false));
        await().until(() -> !answer(a.end(1, 0)).incomplete());
        assertThat(keys()).containsExactly("lock:fence");
        assertThat(b.told).isEmpty();
    }

    @Test
    void forgottenScriptIsSentAsText() throws Exception {
        granted(a, 1);
        redis.command("SCRIPT", "FLUSH");
        assertThat(answer(a.renew(0, 1))).containsExactly(true);
        redis.command("SCRIPT", "FLUSH");
        assertThat(answer(a.end(1, 0)).role()).isEqualTo(Role.HOLDER);
    }

    @Test
    void lostSubscriptionIsSoonRestored() {
        for (int i = 1; i <= 3; i++) {
            int before = a.confirmations.get();
            long killed = System.nanoTime();
            redis.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().pollInterval(Duration.ofMillis(2)).until(() -> a.confirmations.get() > before);
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofMillis(300));
            assertThat(a.store.isListening()).isTrue();
            a.awaitListening();
            b.awaitListening();
        }
    }

    @Test
    void refusedSubscriptionHarmsNoOtherConnection() throws Exception {
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        for (int i = 0; i < 200; i++) {
            granted(a, i);
            assertThat(answer(a.end(i, 0)).role()).isEqualTo(Role.HOLDER);
        }
        int before = a.confirmations.get();
        redis.command("ACL", "SETUSER", Backend.USER, "&lock:*");
        a.store.listenAgain();
        await().until(() -> a.confirmations.get() > before);
    }

    @Test
    void renewedSubscriptionIsTheOnlyOne() {
        int before = a.confirmations.get();
        a.store.listenAgain();
        await().until(() -> a.confirmations.get() > before && a.store.isListening());
        await().untilAsserted(() -> assertThat(redis.command("PUBSUB", "NUMSUB", InboxChannel.of("a")))
                .isEqualTo(List.of(InboxChannel.of("a"), 1L)));
    }

    @Test
    void stoppedStoreIsNotSubscribed() {
        assertThat(a.store.order()).isNotNegative();
        a.store.stop();
        assertThat(a.store.order()).as("no connection has an order").isNegative();
        assertThat(a.store.isListening()).isFalse();
        assertThat(redis.command("PUBSUB", "CHANNELS").toString()).isEqualTo("[" + InboxChannel.of("b") + "]");
    }

    private static long granted(StoreUser user, int number) throws Exception {
        return ((Granted) answer(user.acquire(user.request(number, Kind.TRY)))
                        .answers()
                        .get(0))
                .token();
    }
}
