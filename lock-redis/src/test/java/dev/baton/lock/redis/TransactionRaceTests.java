package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that concurrent transactions leave the same state as consecutive ones. */
class TransactionRaceTests {

    private static final int ROUNDS = 100;
    private static final long TIMEOUT = Duration.ofSeconds(5).toNanos();

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final List<StoreUser> users = new ArrayList<>();

    @BeforeEach
    void start() {
        for (int i = 0; i < 4; i++) {
            Backend backend = new Backend(i % 2 == 0 ? Client.LETTUCE : Client.JEDIS, 0);
            users.add(new StoreUser(
                    backend.connect(redis.host(), redis.port()),
                    "u" + i,
                    store -> store.handler(LockHandler.TRANSACTION)));
        }
        users.forEach(StoreUser::awaitListening);
    }

    @AfterEach
    void stop() {
        users.forEach(StoreUser::close);
        redis.close();
    }

    @Test
    void oneOfSeveralConcurrentTriesIsGranted() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<CompletableFuture<AcquireReply>> replies = new ArrayList<>();
            for (StoreUser user : users) {
                replies.add(user.acquire(user.request(2 * round, Kind.TRY)));
                replies.add(user.acquire(user.request(2 * round + 1, Kind.TRY)));
            }
            int granted = 0;
            for (CompletableFuture<AcquireReply> reply : replies) {
                granted += answer(reply).answers().get(0) instanceof Granted ? 1 : 0;
            }
            assertThat(granted).as("round %d", round).isEqualTo(1);
            for (StoreUser user : users) {
                answer(user.end(2 * round, 0));
                answer(user.end(2 * round + 1, 0));
            }
            assertThat(redis.keys()).containsExactly("lock:fence");
        }
    }

    /** Each pair of neighbours wants the same lock, one of them last. */
    @Test
    void concurrentTriesForSeveralLocksAreGrantedAllOrNone() throws Exception {
        List<LockName> locks = IntStream.range(0, users.size())
                .mapToObj(i -> new LockName("", "orders." + i))
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            List<List<LockName>> asked = new ArrayList<>();
            List<CompletableFuture<AcquireReply>> replies = new ArrayList<>();
            for (int i = 0; i < users.size(); i++) {
                asked.add(List.of(locks.get(i), locks.get((i + 1) % users.size())));
                replies.add(users.get(i)
                        .store
                        .acquire(new AcquireCommand(
                                asked.get(i),
                                List.of(users.get(i).request(round, Kind.TRY)),
                                StoreUser.RECHECK,
                                TIMEOUT)));
            }
            Set<LockName> held = new HashSet<>();
            for (int i = 0; i < users.size(); i++) {
                if (answer(replies.get(i)).answers().get(0) instanceof Granted) {
                    assertThat(held.addAll(asked.get(i)) && held.size() % 2 == 0)
                            .as("round %d: two hold one lock", round)
                            .isTrue();
                }
            }
            assertThat(held).as("round %d", round).isNotEmpty();
            assertThat(redis.keys()).hasSize(1 + held.size());
            for (int i = 0; i < users.size(); i++) {
                EndCommand end = new EndCommand(asked.get(i), users.get(i).id(round), null, 0, 0, TIMEOUT);
                answer(users.get(i).store.end(end));
            }
            assertThat(redis.keys()).containsExactly("lock:fence");
        }
    }

    @Test
    void endedRequestIsNotGranted() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<CompletableFuture<EndReply>> ends = new ArrayList<>();
            List<CompletableFuture<AcquireReply>> replies = new ArrayList<>();
            for (StoreUser user : users) {
                replies.add(user.acquire(user.request(round, Kind.MESSAGE)));
                ends.add(user.end(round, 60_000));
            }
            for (CompletableFuture<EndReply> end : ends) {
                answer(end);
            }
            for (CompletableFuture<AcquireReply> reply : replies) {
                answer(reply);
            }
            assertThat(redis.keys())
                    .as("round %d", round)
                    .allMatch(key -> key.equals("lock:fence")
                            || key.startsWith("lock:over:")
                            || key.equals("lock:wait:{orders.1}"));
            assertThat(redis.lastingKeys()).as("round %d", round).isSubsetOf("lock:fence");
        }
    }
}
