package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Asking whether a lease is still ours, before something that cannot be taken back. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class VerifyTests extends OnBackend {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));

    private LockTemplate template;

    VerifyTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        template = processes.start();
    }

    @AfterEach
    void stop() {
        redis.resume();
    }

    @Test
    void heldLeaseIsFoundHeldAndNotExtended() {
        Lease lease = template.acquire(X);
        redis.command("PEXPIRE", LOCK, "5000");
        lease.verify();
        assertThat(lease.verifyAsync().toCompletableFuture()).succeedsWithin(5, TimeUnit.SECONDS);
        assertThat(redis.ttl(LOCK)).isLessThanOrEqualTo(5000);
        assertThat(lease.release()).isTrue();
    }

    @Test
    void deletedKeyIsFound() {
        Lease lease = template.acquire(X);
        redis.command("DEL", LOCK);
        assertThat(lease.isHeld()).as("what is known without asking").isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lease::verify);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lease::verify);
        assertThat(lease.isExpired()).isTrue();
    }

    @Test
    void deletedKeyIsFoundWithoutWaiting() {
        Lease lease = template.acquire(X);
        redis.command("DEL", LOCK);
        assertThat(lease.verifyAsync().toCompletableFuture())
                .failsWithin(5, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(LockLostException.class);
    }

    @Test
    void ourOwnClockDecidesIfRedisDoesNotAnswer() {
        LockTemplate hasty = processes.start(builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Lease lease = hasty.acquire(X);
        Lease ending = hasty.acquire(LockRequest.of("y").expire(Duration.ofMillis(500)));
        redis.pause();
        assertThatCode(lease::verify).doesNotThrowAnyException();
        await().until(ending::isExpired);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(ending::verify);
    }

    @Test
    void interruptIsKeptAndDoesNotHideALoss() {
        Lease lease = template.acquire(X);
        redis.command("DEL", LOCK);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lease::verify);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void releasedLeaseAndOneWhoseLossIsOnlyLoggedAreNotAskedFor() {
        Lease released = template.acquire(X);
        released.close();
        assertThatCode(released::verify).doesNotThrowAnyException();
        Lease logged = template.acquire(X.onLost(OnLost.LOG));
        redis.command("DEL", LOCK);
        assertThatCode(logged::verify).doesNotThrowAnyException();
    }
}
