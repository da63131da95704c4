package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests commands of the store on Redis for several locks, in a root namespace of two levels. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SeveralLocksStoreTests {

    private static final LockName A = new LockName("eu:west", "x.a b");
    private static final LockName B = new LockName("eu:west", "x.:lock:{t}\n\u00fc");
    private static final LockName C = new LockName("", "x.c");
    private static final long TIMEOUT = Duration.ofSeconds(5).toNanos();
    private static final long LEASE = 20_000;

    private record InboxGrant(List<LockName> names, String id, long token) {}

    private final BlockingQueue<InboxGrant> told = new LinkedBlockingQueue<>();
    private final Backend backend;
    private TestRedis redis;
    private Connections connections;
    private RedisLockStore store;

    SeveralLocksStoreTests(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void start() {
        redis = backend.startRedis();
        connections = backend.connect(redis.host(), redis.port());
        store = RedisLockStore.builder(connections.factory())
                .namespace("lock:orders")
                .build();
        store.start("i", new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                told.add(new InboxGrant(names, id, token));
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                throw new AssertionError("no lock is revoked");
            }

            @Override
            public void listening() {}
        });
        Awaitility.await().until(store::isListening);
    }

    @AfterEach
    void stop() {
        store.stop();
        connections.end().run();
        redis.close();
    }

    @Test
    void waiterIsNotifiedOfAllItsLocks() throws Exception {
        Granted first = (Granted) acquire("i:1", Kind.TRY, B);
        assertThat(acquire("i:2", Kind.MESSAGE, A, B)).isInstanceOf(Busy.class);
        assertThat(end("i:1", 0, B)).isEqualTo(new EndReply(Role.HOLDER, List.of(), false, false, List.of("i:2")));
        InboxGrant grant = told.poll(5, TimeUnit.SECONDS);
        assertThat(grant.names()).containsExactly(A, B);
        assertThat(grant.id()).isEqualTo("i:2");
        assertThat(grant.token()).isGreaterThan(first.token());
        assertThat(acquire("i:2", Kind.MESSAGE, A, B)).isEqualTo(new Granted(grant.token(), true));
        assertThat(keys())
                .containsExactlyInAnyOrder(
                        "lock:orders:fence", store.keys(A).get(0), store.keys(B).get(0));
        assertThat(end("i:2", 0, A, B).role()).isEqualTo(Role.HOLDER);
        assertThat(keys()).containsExactly("lock:orders:fence");
    }

    @Test
    void renewalsReportTheMissingLocksOfEachLease() throws Exception {
        acquire("i:1", Kind.TRY, A, B);
        acquire("i:2", Kind.TRY, C);
        redis.command("DEL", store.keys(B).get(0));
        List<Renewal> renewals = List.of(
                new Renewal(List.of(A, B), "i:1", LEASE),
                new Renewal(List.of(C), "i:2", LEASE),
                new Renewal(List.of(C, A), "i:3", LEASE));
        assertThat(answer(store.renew(new RenewCommand(renewals, TIMEOUT))))
                .containsExactly(List.of(B), List.of(), List.of(C, A));
    }

    /** Returns the keys except those of processes that once waited. */
    private List<String> keys() {
        return redis.keys().stream()
                .filter(key -> !key.contains(":wait:") || redis.ttl(key) < 0)
                .toList();
    }

    @Test
    void endReportsTheMissingLocks() throws Exception {
        acquire("i:1", Kind.TRY, A, B, C);
        redis.command("DEL", store.keys(A).get(0), store.keys(C).get(0));
        assertThat(end("i:1", 0, A, B, C)).isEqualTo(new EndReply(Role.NOTHING, List.of(A, C), false, false));
        assertThat(redis.keys()).containsExactly("lock:orders:fence");
    }

    @Test
    void keptLocksAreBusyForTheirTime() throws Exception {
        acquire("i:1", Kind.TRY, A, B);
        assertThat(end("i:1", 5_000, A, B).role()).isEqualTo(Role.HOLDER);
        Busy busy = (Busy) acquire("i:2", Kind.TRY, B, C);
        assertThat(busy.holder())
                .isNotNull()
                .satisfies(holder ->
                        assertThat(holder.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5)));
        assertThat(redis.ttl(store.keys(A).get(0))).isBetween(1L, 5_000L);
    }

    @Test
    void acquireForSeveralLocksTakesOneRequestOnly() {
        Request request = request("i:1", Kind.TRY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.acquire(
                        new AcquireCommand(List.of(A, B), List.of(request, request), Duration.ofSeconds(1), TIMEOUT)))
                .withMessageContaining("2 requests ask for 2 locks in one command");
    }

    private Object acquire(String id, Kind kind, LockName... names) throws Exception {
        AcquireCommand command =
                new AcquireCommand(List.of(names), List.of(request(id, kind)), Duration.ofSeconds(10), TIMEOUT);
        return answer(store.acquire(command)).answers().get(0);
    }

    private static Request request(String id, Kind kind) {
        return new Request(id, kind, LEASE, -1, 1_000, "owner", "label");
    }

    private EndReply end(String id, long keep, LockName... names) throws Exception {
        return answer(store.end(new EndCommand(List.of(names), id, request(id, Kind.MESSAGE), keep, 0, TIMEOUT)));
    }
}
