package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockExceptionTests {

    private static final LockHolder HOLDER =
            new LockHolder("web-3:4711/http-7", "i:t7", 12, Duration.ofMillis(1400), Duration.ofMillis(8600));

    @Test
    void timeoutNamesTheWaitTheHolderAndTheRemedy() {
        LockTimeoutException ex = new LockTimeoutException("orders.42", Duration.ofSeconds(2), HOLDER);

        assertThat(ex)
                .hasMessage(
                        "Lock 'orders.42' not granted within 2000 ms (held by web-3:4711/http-7 for 1400 ms, 8600 ms of its"
                                + " lease left); raise waitTime or shorten the work under the lock");
        assertThat(ex.name()).isEqualTo("orders.42");
        assertThat(ex.waited()).isEqualTo(Duration.ofSeconds(2));
        assertThat(ex.holder()).contains(HOLDER);
    }

    @Test
    void timeoutOfATryNamesAnotherRemedy() {
        LockTimeoutException ex = new LockTimeoutException("orders.42", Duration.ZERO, null);

        assertThat(ex)
                .hasMessage(
                        "Lock 'orders.42' is busy (kept for other waiters); give the request a waitTime, or try again later");
        assertThat(ex.holder()).isEmpty();
    }

    @Test
    void stuckHolderIsNamedWithItsTimes() {
        LockTimeoutException ex =
                LockTimeoutException.stuck("orders.42", Duration.ofMillis(2300), HOLDER, Duration.ofMillis(2000));

        assertThat(ex)
                .hasMessage(
                        "Lock 'orders.42' not granted after 2300 ms: held by the same holder for 2000 ms"
                                + " (web-3:4711/http-7 for 1400 ms, 8600 ms of its lease left); check where that holder is stuck, or raise stallTime");
        assertThat(ex.isStuck()).isTrue();
        assertThat(ex.waited()).isEqualTo(Duration.ofMillis(2300));
        assertThat(ex.holder()).contains(HOLDER);
        assertThat(new LockTimeoutException("orders.42", Duration.ZERO, HOLDER).isStuck())
                .isFalse();
    }

    @Test
    void limitNamesTheNumberOfWaitersAndTheRemedy() {
        LockLimitException ex = new LockLimitException("orders.42", 100);

        assertThat(ex)
                .hasMessageContaining("100 requests of this process are already waiting")
                .hasMessageContaining("baton.max-waiters");
        assertThat(ex.limit()).isEqualTo(100);
        assertThat(ex.name()).isEqualTo("orders.42");
    }

    @Test
    void lossNamesTheTimeTheReasonAndTheRemedy() {
        LockLostException ex = new LockLostException(
                "orders.42", "i:t7", 12, Duration.ofMillis(350), "Redis no longer knew it", "done");

        assertThat(ex)
                .hasMessage(
                        "Lock 'orders.42' was lost 350 ms before its holder i:t7 was done (token 12; Redis no longer knew"
                                + " it): another caller may have held it meanwhile; check what was written, and raise expire or renew the lease");
        assertThat(ex.name()).isEqualTo("orders.42");
        assertThat(ex.owner()).isEqualTo("i:t7");
        assertThat(ex.fencingToken()).isEqualTo(12);
        assertThat(ex.lostFor()).isEqualTo(Duration.ofMillis(350));
        assertThat(ex.result()).isEqualTo("done");
    }

    @Test
    void lossNamesItsHolderByLabelAndTheNextHolder() throws Exception {
        LockLostException ex = new LockLostException(
                "orders.42",
                List.of("orders.42"),
                "i:t7",
                "web-1:12/main",
                12,
                Duration.ofMillis(350),
                "it was force-released",
                HOLDER,
                "done");

        assertThat(ex)
                .hasMessage(
                        "Lock 'orders.42' was lost 350 ms before its holder web-1:12/main was done (token 12; it was"
                                + " force-released): web-3:4711/http-7 acquired it meanwhile (token "
                                + HOLDER.fencingToken()
                                + "); check what was written, and raise expire or renew the lease");
        assertThat(ex.label()).isEqualTo("web-1:12/main");
        assertThat(ex.nextHolder()).contains(HOLDER);
        LockLostException copy = copy(ex);
        assertThat(copy.label()).isEqualTo("web-1:12/main");
        assertThat(copy.nextHolder()).isEmpty();
    }

    @Test
    void lossOfOneOfSeveralLocksNamesThatLock() {
        LockLostException ex = new LockLostException(
                "k.a, k.b", List.of("k.b"), "i:t7", 12, Duration.ofMillis(350), "Redis no longer knew it", null);

        assertThat(ex)
                .hasMessageStartingWith(
                        "Lock 'k.b' of 'k.a, k.b' was lost 350 ms before its holder i:t7 was done (token 12;");
        assertThat(ex.name()).isEqualTo("k.a, k.b");
        assertThat(ex.lostNames()).containsExactly("k.b");
    }

    @Test
    void lossOfAllOfSeveralLocksNamesEachLockOnce() {
        LockLostException ex = new LockLostException(
                "k.a, k.b", List.of("k.a", "k.b"), "i:t7", 12, Duration.ofMillis(350), "its lease ended", null);

        assertThat(ex).hasMessageStartingWith("Lock 'k.a, k.b' was lost 350 ms");
        assertThat(ex.lostNames()).containsExactly("k.a", "k.b");
        assertThat(new LockLostException("k.a", "i:t7", 12, Duration.ZERO, "x", null).lostNames())
                .containsExactly("k.a");
    }

    @Test
    void deadlockOfSeveralLocksNamesTheHeldLockAndTheRemedy() {
        assertThat(new LockDeadlockException("k.a, k.b", "i:t7", "k.a"))
                .hasMessage(
                        "Lock 'k.a, k.b' is requested by i:t7, which already holds 'k.a': several locks are granted all or none, so the request would wait for itself; release 'k.a' first, or request all of them at once")
                .extracting(LockException::name)
                .isEqualTo("k.a, k.b");
    }

    @Test
    void deadlockNamesTheOwnerAndTheRemedy() {
        assertThat(new LockDeadlockException("orders.42", "i:t7"))
                .hasMessage(
                        "Lock 'orders.42' is already held by i:t7, and this request is not re-entrant: it would wait for"
                                + " itself; release the lock first, or set reentrant = true")
                .extracting(LockException::name)
                .isEqualTo("orders.42");
    }

    @Test
    void interruptNamesTheWaitAndTheStateOfTheRequest() {
        InterruptedException cause = new InterruptedException();

        assertThat(new LockInterruptedException("orders.42", Duration.ofMillis(30), cause))
                .hasMessage(
                        "Interrupted after waiting 30 ms for lock 'orders.42'; the request has left the queue and the"
                                + " thread's interrupt flag is set")
                .hasCause(cause);
    }

    @Test
    void storeFailureKeepsMessageAndCause() {
        IOException cause = new IOException("refused");

        assertThat(new LockStoreException("orders.42", "Redis at x:1 refused", cause))
                .hasMessage("Redis at x:1 refused")
                .hasCause(cause);
    }

    @Test
    void timeoutSurvivesSerializationWithoutItsHolder() throws Exception {
        LockTimeoutException copy = copy(new LockTimeoutException("orders.42", Duration.ofSeconds(2), HOLDER));

        assertThat(copy).hasMessageContaining("held by web-3:4711/http-7");
        assertThat(copy.name()).isEqualTo("orders.42");
        assertThat(copy.waited()).isEqualTo(Duration.ofSeconds(2));
        assertThat(copy.holder()).isEmpty();
    }

    @Test
    void lossSurvivesSerializationWithoutItsResult() throws Exception {
        Object notSerializable = new Object();
        LockLostException copy = copy(
                new LockLostException("orders.42", "i:t7", 12, Duration.ofMillis(350), "it expired", notSerializable));

        assertThat(copy).hasMessageContaining("it expired");
        assertThat(copy.owner()).isEqualTo("i:t7");
        assertThat(copy.fencingToken()).isEqualTo(12);
        assertThat(copy.lostFor()).isEqualTo(Duration.ofMillis(350));
        assertThat(copy.result()).isNull();
        assertThat(copy.lostNames()).containsExactly("orders.42");
    }

    @Test
    void otherExceptionsSurviveSerialization() throws Exception {
        LockDeadlockException deadlock = copy(new LockDeadlockException("a.b", "i:t7"));
        assertThat(deadlock).hasMessageContaining("i:t7");
        assertThat(deadlock.name()).isEqualTo("a.b");

        LockInterruptedException interrupted =
                copy(new LockInterruptedException("a.b", Duration.ZERO, new InterruptedException("stop")));
        assertThat(interrupted.name()).isEqualTo("a.b");
        assertThat(interrupted).hasRootCauseMessage("stop");

        LockStoreException store = copy(new LockStoreException("a.b", "down", new IOException("refused")));
        assertThat(store.name()).isEqualTo("a.b");
        assertThat(store).hasMessage("down").hasRootCauseMessage("refused");
    }

    @SuppressWarnings({"unchecked", "BanSerializableRead"})
    private static <T extends LockException> T copy(T original) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }
}
