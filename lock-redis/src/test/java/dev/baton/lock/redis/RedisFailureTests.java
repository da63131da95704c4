package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.support.Backend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the store on a Redis that refuses commands, hangs, or is gone. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class RedisFailureTests {

    private final Backend backend;
    private TestRedis redis;
    private StoreUser a;

    RedisFailureTests(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void start() throws Exception {
        redis = backend.startRedis();
        a = new StoreUser(backend.connect(redis.host(), redis.port()), "a").awaitListening();
        answer(a.renew(0, 1));
    }

    @AfterEach
    void stop() {
        a.close();
        redis.close();
    }

    @Test
    void everyCommandEndsWithinItsTimeout() {
        redis.pause();
        a.timeout(Duration.ofMillis(300));
        long asked = System.nanoTime();
        CompletableFuture<?> acquire = a.acquire(a.request(1, Kind.TRY));
        CompletableFuture<?> end = a.end(1, 0);
        CompletableFuture<?> renew = a.renew(0, 1);
        failure(acquire, true).hasMessageContaining("did not answer within 300 ms (acquire.lua)");
        failure(end, true).hasMessageContaining("(release.lua)");
        failure(renew, true).hasMessageContaining("(renew.lua)").hasMessageContaining(address());
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .isBetween(Duration.ofMillis(290), Duration.ofMillis(1_500));
        redis.resume();
    }

    @Test
    void stoppedServerIsReportedAsUnreachable() {
        redis.stop();
        a.timeout(Duration.ofMillis(800));
        failure(a.renew(0, 1), true).hasMessageContaining("Redis at " + address());
    }

    @Test
    void lockOfTheFirstStorageFormatIsAPermanentFailure() {
        redis.command("HSET", "lock:lock:{orders.1}", "mode", "x", "id", "a:1");
        failure(a.acquire(a.request(1, Kind.TRY)), false)
                .hasMessageContaining("refused acquire.lua")
                .hasMessageContaining("storage format 1, and this process uses format 2")
                .hasMessageContaining(address());
    }

    @Test
    void lockOfALaterStorageFormatIsAPermanentFailure() {
        redis.command("SET", "lock:lock:{orders.1}", "3 a later format");
        failure(a.acquire(a.request(1, Kind.TRY)), false)
                .hasMessageContaining("refused acquire.lua")
                .hasMessageContaining("lock:lock:{orders.1} has storage format 3, and this process uses format 2")
                .hasMessageContaining(address());
    }

    @Test
    void replicaIsReportedAsNotReady() {
        redis.command("REPLICAOF", "127.0.0.1", "1");
        failure(a.acquire(a.request(1, Kind.TRY)), true)
                .hasMessageContaining("READONLY")
                .hasMessageContaining("Connect to the primary");
    }

    @Test
    void stoppedStoreRefusesCommands() {
        a.store.stop();
        failure(a.renew(0, 1), false).hasMessageContaining("stopped");
    }

    private String address() {
        return redis.host() + ":" + redis.port();
    }

    private static AbstractThrowableAssert<?, ?> failure(CompletableFuture<?> answer, boolean passing) {
        Throwable thrown = catchThrowable(() -> answer(answer));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        assertThat(thrown.getCause())
                .isInstanceOfSatisfying(
                        StoreException.class, ex -> assertThat(ex.isPassing()).isEqualTo(passing));
        return assertThat(thrown.getCause());
    }
}
