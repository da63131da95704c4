package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the texts of locks and waiters. */
class StoredTextsTests {

    private static final List<String> ONE = List.of("lock:lock:{a}");

    private static Request request(String owner, String label) {
        return new Request("i:1", Kind.MESSAGE, 20_000, 2_500, 7_000, owner, label, 32);
    }

    @Test
    void recordHasItsFieldsInOrder() {
        assertThat(StoredTexts.waiter(request("owner", "label"), ONE)).isEqualTo("2 x i:1 20000 2500 32 owner label");
    }

    @Test
    void recordDoesNotDependOnTheKind() {
        Request request = request("owner", "label");
        assertThat(StoredTexts.waiter(request.as(Kind.POLL), ONE)).isEqualTo(StoredTexts.waiter(request, ONE));
    }

    @Test
    void recordForSeveralLocksHasItsKeys() {
        assertThat(StoredTexts.waiter(request("o", "l"), List.of("lock:lock:{a b}", "lock:lock:{%20}")))
                .isEqualTo("2 x i:1 20000 2500 32 o l 7000 lock:lock:{a%20b} lock:lock:{%2520}");
    }

    @Test
    void recordBeginsWithTheHeadOfItsRequest() {
        assertThat(StoredTexts.waiter(request("", ""), ONE)).startsWith(StoredTexts.head("i:1"));
        assertThat(StoredTexts.lock("i:1", 7, 6, "", "")).startsWith(StoredTexts.head("i:1"));
        assertThat(StoredTexts.head("i:12")).doesNotStartWith(StoredTexts.head("i:1"));
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "'', ''",
        "' ', %20",
        "%, %25",
        "%20, %2520",
        "%2520, %252520",
        "'% 20', %25%2020",
        "'a  b', a%20%20b",
        "%25 %, %2525%20%25",
        "'\u00fc\n\"\\', '\u00fc\n\"\\'"
    })
    void freeTextIsEscaped(String text, String field) {
        assertThat(StoredTexts.unescape(field)).isEqualTo(text);
        String record = StoredTexts.waiter(request(text, text), ONE);
        assertThat(record).isEqualTo("2 x i:1 20000 2500 32 " + field + " " + field);
        StoredTexts.Waiter waiter = StoredTexts.waiter(record);
        assertThat(waiter).isEqualTo(new StoredTexts.Waiter("i:1", 20_000, 2_500, 32, text, text, false));
        String lock = StoredTexts.lock("i:1", 7, 6, text, text);
        assertThat(lock).isEqualTo("2 x i:1 7 6 " + field + " " + field);
        assertThat(StoredTexts.lock(lock)).isEqualTo(new StoredTexts.Lock("x", "i:1", 7, 6, text, text, 0));
    }

    @Test
    void fieldsMayBeEmpty() {
        assertThat(StoredTexts.fields("2 x  7 6  ")).containsExactly("2", "x", "", "7", "6", "", "");
    }

    @Test
    void keptLockBelongsToNoRequest() {
        StoredTexts.Lock lock = StoredTexts.lock("2 x  7 6 o l");
        assertThat(lock.id()).isEmpty();
        assertThat(lock.isBy("i:1")).isFalse();
    }

    @Test
    void lockInAnotherModeBelongsToNoRequest() {
        assertThat(StoredTexts.lock("2 x i:1 7 6 o l").isBy("i:1")).isTrue();
        assertThat(StoredTexts.lock("2 s i:1 7 6 o l").isBy("i:1")).isFalse();
    }

    @Test
    void laterFieldsAreIgnored() {
        assertThat(StoredTexts.lock("2 x i:1 7 6 o l later"))
                .isEqualTo(new StoredTexts.Lock("x", "i:1", 7, 6, "o", "l", 0));
        assertThat(StoredTexts.waiter("2 x i:1 20 -1 0 o l later"))
                .isEqualTo(new StoredTexts.Waiter("i:1", 20, -1, 0, "o", "l", false));
    }

    @ParameterizedTest
    @CsvSource({
        "' 5 key key', true",
        "' 5 key', true",
        "' 5', false",
        "' later key', false",
        "' -5 key', false",
        "' 5 ', false"
    })
    void requestForSeveralLocksHasATimeAndKeys(String fields, boolean several) {
        assertThat(StoredTexts.waiter("2 x i:1 20 -1 0 o l" + fields).several()).isEqualTo(several);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "2",
                "2 x",
                "2 x i:1 20 -1 0 o",
                "3 x i:1 20 -1 0 o l",
                "2 s i:1 20 -1 0 o l",
                "2 x i:1 x -1 0 o l",
                "2 x i:1 0 -1 0 o l",
                "2 x i:1 -5 -1 0 o l",
                "2 x i:1 20 x 0 o l",
                "2 x i:1 20 -1 x o l",
                "2 x i:1 20 -1 -1 o l",
                "{\"v\":\"1\"}"
            })
    void otherRecordCannotBeRead(String record) {
        assertThat(StoredTexts.waiter(record)).isNull();
    }

    @Test
    void waiterIsLateAfterItsPatience() {
        StoredTexts.Waiter waiter = StoredTexts.waiter("2 x i:1 20 5 0 o l");
        assertThat(waiter.isLate(1_000, 5_999)).isFalse();
        assertThat(waiter.isLate(1_000, 6_000)).isTrue();
        assertThat(StoredTexts.waiter("2 x i:1 20 -1 0 o l").isLate(1_000, Long.MAX_VALUE))
                .isFalse();
        assertThat(StoredTexts.waiter("2 x i:1 20 0 0 o l").isLate(1_000, 1_000))
                .isTrue();
    }

    @Test
    void holderHasItsTimes() {
        StoredTexts.Lock lock = new StoredTexts.Lock("x", "i:1", 7, 1_000, "owner", "label", 0);
        LockHolder holder = lock.holder(31_999, 500);
        assertThat(holder.heldFor()).isEqualTo(Duration.ofMillis(30));
        assertThat(holder.remaining()).isEqualTo(Duration.ofMillis(500));
        assertThat(lock.holder(0, -1).heldFor())
                .as("after the clock has stepped back")
                .isZero();
        assertThat(lock.holder(0, -1).remaining()).isEqualTo(LockDurations.LONGEST_EXPIRE);
    }

    @ParameterizedTest
    @CsvSource({
        "3 x i:1 7 6 o l, storage format 3",
        "3, storage format 3",
        "1 x i:1 7 6 o l, storage format 1",
        "2 x i:1 7 6 o, an unknown storage format",
        "2 x i:1 x 6 o l, an unknown storage format",
        "2 x i:1 7 x o l, an unknown storage format",
        "text, an unknown storage format",
        "'', an unknown storage format"
    })
    void lockOfAnotherVersionIsRefusedWithBothVersions(String text, String version) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> StoredTexts.lock(text))
                .withMessageContaining(version)
                .withMessageContaining("format 2")
                .matches(ex -> !ex.isPassing());
    }
}
