package dev.baton.lock.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaiterRecordTests {

    private static final String FIELDS = "\"kind\":\"message\",\"lease\":\"20000\",\"deadline\":\"0\",\"alive\":\"7\","
            + "\"inbox\":\"lock:inbox:a\",\"owner\":\"o\",\"label\":\"l\"";

    @Test
    void writtenRecordIsRead() {
        Request request =
                new Request("a:1", Kind.POLL, 20_000, 500, 0, "o \"quoted\" \\ / ü\n", "läbel \u0001\uD83D\uDE00", 32);
        assertThat(WaiterRecord.read(WaiterRecord.write(request, 1795250597553801L, 1_000, "lock:inbox:a")))
                .isEqualTo(new WaiterRecord(
                        1795250598803801L,
                        20_000,
                        1795250598053801L,
                        1795250600553801L,
                        "lock:inbox:a",
                        "o \"quoted\" \\ / ü\n",
                        "läbel \u0001\uD83D\uDE00",
                        32));
    }

    @Test
    void unboundedWaitHasNoDeadline() {
        Request request = new Request("a:1", Kind.MESSAGE, 1, -1, 0, "o", "l");
        WaiterRecord record = WaiterRecord.read(WaiterRecord.write(request, 5, 1, "i"));
        assertThat(record.deadline()).isZero();
        assertThat(record.isLate(Long.MAX_VALUE)).isFalse();
        assertThat(record.polls(5)).isFalse();
    }

    @Test
    void pollingWaiterAsksWithinItsRecheckAndAQuarter() {
        Request request = new Request("a:1", Kind.POLL, 1, -1, 0, "o", "l");
        WaiterRecord record = WaiterRecord.read(WaiterRecord.write(request, 5, 100, "i"));
        assertThat(record.polls(125_005)).isTrue();
        assertThat(record.polls(125_006)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{" + FIELDS + "}",
                " { \"new\" : [ 1 ] , \"flag\":true,\"none\":null,\"n\":-1.5e3," + FIELDS + " } ",
                "{\"mode\":\"x\",\"esc\":\"\\u00fc\\/\\n\"," + FIELDS + "}"
            })
    void unknownFieldsAreIgnored(String json) {
        assertThat(WaiterRecord.read(json)).isEqualTo(new WaiterRecord(0, 20_000, 0, 7, "lock:inbox:a", "o", "l", 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no json",
                "{",
                "{\"kind\":\"message\"}",
                "{" + FIELDS + "} and more",
                "{" + FIELDS + ",\"label\":{}}",
                "{\"mode\":\"r\"," + FIELDS + "}",
                "{\"names\":[\"a\",\"b\"]," + FIELDS + "}",
                "{\"cut\":\"\\u00"
            })
    void recordThatTransactionsCannotGrantIsNotRead(String json) {
        assertThat(WaiterRecord.read(json)).isNull();
    }

    @Test
    void missingRecordIsNotRead() {
        assertThat(WaiterRecord.read(null)).isNull();
    }

    @Test
    void silenceIsMeasuredAgainstTheLastAcquireOfAnyWaiter() {
        WaiterRecord record = WaiterRecord.read("{" + FIELDS + "}");
        assertThat(record.isSilent(8L)).isTrue();
        assertThat(record.isSilent(7L)).isFalse();
        assertThat(record.isSilent(null)).isFalse();
    }
}
