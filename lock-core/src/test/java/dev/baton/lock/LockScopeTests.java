package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // the operations are a fake
class LockScopeTests {

    private final Journal journal = new Journal();
    private final FakeLockOperations operations = new FakeLockOperations(journal);
    private final LockScope access = operations.scope("server_access");

    @Test
    void scopeSetsEveryAttributeOfTheRequest() {
        LockScope full = access.namespace("orders")
                .expire(Duration.ofSeconds(10))
                .waitTime(Duration.ofSeconds(2))
                .stallTime(Duration.ofSeconds(1))
                .recheck(Duration.ofMillis(300))
                .waitStrategy(WaitStrategy.POLLING)
                .pollingInterval(Duration.ofMillis(20))
                .renew(Renewal.ALWAYS)
                .holdAtLeast(Duration.ofMillis(70))
                .owner("connection-7")
                .reentrant(false)
                .interruptible(false)
                .onLost(OnLost.LOG);

        assertThat(full.request(42))
                .isEqualTo(LockRequest.of("server_access", 42)
                        .namespace("orders")
                        .expire(Duration.ofSeconds(10))
                        .waitTime(Duration.ofSeconds(2))
                        .stallTime(Duration.ofSeconds(1))
                        .recheck(Duration.ofMillis(300))
                        .waitStrategy(WaitStrategy.POLLING)
                        .pollingInterval(Duration.ofMillis(20))
                        .renew(Renewal.ALWAYS)
                        .holdAtLeast(Duration.ofMillis(70))
                        .owner("connection-7")
                        .reentrant(false)
                        .interruptible(false)
                        .onLost(OnLost.LOG));
        assertThat(access.waitUnbounded().request().waitTime()).isEqualTo(WaitTime.unbounded());
        assertThat(access.waitTime(WaitTime.none()).request().waitTime()).isEqualTo(WaitTime.none());
    }

    @Test
    void settersDoNotChangeTheirScope() {
        access.expire(Duration.ofSeconds(10));

        assertThat(access.request(42)).isEqualTo(LockRequest.of("server_access", 42));
    }

    @Test
    void eachUseNamesItsKey() throws Exception {
        LockScope limited = access.expire(Duration.ofSeconds(10));
        assertThat(limited.<String, Exception>execute(42, lease -> "a")).isEqualTo("a");
        assertThat(limited.<String, Exception>execute(lease -> "b")).isEqualTo("b");
        limited.executeWithoutResult(43, lease -> journal.add("work"));
        limited.executeWithoutResult(lease -> journal.add("work"));
        assertThat(limited.tryExecute(44, lease -> "c")).isEqualTo(new LockResult.Executed<>("c"));
        limited.acquire(45).close();
        assertThat(limited.tryAcquire(46)).isPresent();
        limited.mutex(47).lock();

        assertThat(operations.requests())
                .extracting(LockRequest::name)
                .containsExactly(
                        "server_access.42",
                        "server_access.global",
                        "server_access.43",
                        "server_access.global",
                        "server_access.44",
                        "server_access.45",
                        "server_access.46",
                        "server_access.47");
        assertThat(operations.requests()).extracting(LockRequest::expire).containsOnly(Duration.ofSeconds(10));
    }

    @Test
    void keysMayHavePartsAndAUseMayHaveSeveralKeys() {
        LockScope limited = access.expire(Duration.ofSeconds(10));

        assertThat(limited.request("acme", 7).name()).isEqualTo("server_access.acme:7");
        assertThat(limited.requestAll(List.of(1, 2)))
                .isEqualTo(LockRequest.ofAll("server_access", List.of(1, 2)).expire(Duration.ofSeconds(10)));
    }

    @Test
    void unusableSettingIsRefusedWhenTheScopeIsBuilt() {
        assertThatIllegalArgumentException().isThrownBy(() -> operations.scope("a{b}"));
        assertThatIllegalArgumentException().isThrownBy(() -> operations.scope(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> access.expire(Duration.ofMillis(9)))
                .withMessageContaining("expire 9 ms is too short");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> access.recheck(Duration.ZERO))
                .withMessageContaining("recheck 0 ms is out of range");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> access.stallTime(Duration.ofMillis(-1)))
                .withMessageContaining("stall time -1 ms is out of range");
        assertThatIllegalArgumentException().isThrownBy(() -> access.waitTime(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> access.execute(new Object(), lease -> lease))
                .withMessageContaining("server_access");
        assertThatIllegalArgumentException().isThrownBy(() -> access.requestAll(List.of()));
    }

    @Test
    void textNamesTheScope() {
        assertThat(access).hasToString("LockScope 'server_access'");
        assertThat(access.name()).isEqualTo("server_access");
    }
}
