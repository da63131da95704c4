package dev.baton.lock.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.transaction.WaitingProcess.Run;
import dev.baton.lock.store.AcquireCommand.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingProcessTests {

    private static final long NOW = 1_795_250_597_553_801L;
    /** Milliseconds. */
    private static final long RECHECK = 1_000;

    private static final long RECHECK_MICROS = 1_000_000;
    private static final String INBOX = "my locks:inbox:a%";

    @ParameterizedTest
    @CsvSource({"a:1, a:", "web:3:17, web:3:", "none, none", ":7, :"})
    void fieldIsTheIdUpToItsLastColon(String id, String field) {
        assertThat(WaitingProcess.of(id)).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({"MESSAGE, m", "POLL, p"})
    void writtenProcessIsRead(Kind kind, String letter) {
        WaitingProcess process = WaitingProcess.after(null, kind, INBOX, NOW, RECHECK);
        assertThat(process)
                .isEqualTo(new WaitingProcess(NOW + 4 * RECHECK_MICROS, 4 * RECHECK_MICROS, NOW, letter, INBOX));
        assertThat(process.text()).isEqualTo("1795250601553801 4000000 1795250597553801 " + letter + " " + INBOX);
        assertThat(WaitingProcess.read(process.text())).isEqualTo(process);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "5", "5 6", "5 6 7 m", "a 6 7 m i", "5 6 m i", "5 6 7 8 i", "-5 6 7 m i"})
    void processThatCannotBeReadIsUnknown(String text) {
        assertThat(WaitingProcess.read(text)).isNull();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "5", "5 6", "a b c"})
    void runThatCannotBeReadIsUnknown(String text) {
        assertThat(Run.read(text)).isNull();
    }

    @Test
    void writtenRunIsRead() {
        assertThat(Run.read(new Run(7, 5, 3).text())).isEqualTo(new Run(7, 5, 3));
    }

    @Test
    void shorterRecheckDoesNotShortenTheTimeForWhichAProcessCountsAsAlive() {
        WaitingProcess before = WaitingProcess.after(null, Kind.MESSAGE, INBOX, NOW, RECHECK);
        WaitingProcess after = WaitingProcess.after(before, Kind.POLL, "other", NOW + RECHECK_MICROS, 10);
        assertThat(after).isEqualTo(new WaitingProcess(before.until(), before.span(), NOW, "p", "other"));
    }

    @Test
    void pauseOfMoreThanARecheckAndAHalfBeginsAnotherRun() {
        Run before = new Run(NOW, NOW - 50, RECHECK_MICROS);
        long later = NOW + 3 * RECHECK_MICROS / 2;
        assertThat(Run.after(before, later, RECHECK)).isEqualTo(new Run(later, NOW - 50, RECHECK_MICROS));
        assertThat(Run.after(before, later + 1, RECHECK)).isEqualTo(new Run(later + 1, later + 1, RECHECK_MICROS));
        assertThat(Run.after(null, NOW, RECHECK)).isEqualTo(new Run(NOW, NOW, RECHECK_MICROS));
    }

    @Test
    void pauseIsCountedInTheShortestRecheckOfTheRun() {
        Run fast = new Run(NOW, NOW - 50, 100_000);
        assertThat(Run.after(fast, NOW + 150_000, RECHECK)).isEqualTo(new Run(NOW + 150_000, NOW - 50, 100_000));
        assertThat(Run.after(fast, NOW + 150_001, RECHECK))
                .isEqualTo(new Run(NOW + 150_001, NOW + 150_001, RECHECK_MICROS));
        Run slow = new Run(NOW, NOW - 50, 2 * RECHECK_MICROS);
        assertThat(Run.after(slow, NOW + 5, RECHECK)).isEqualTo(new Run(NOW + 5, NOW - 50, RECHECK_MICROS));
        assertThat(Run.after(slow, NOW + 1_500_001, RECHECK))
                .isEqualTo(new Run(NOW + 1_500_001, NOW + 1_500_001, RECHECK_MICROS));
    }

    @Test
    void processIsKnownSinceItsFirstRecheck() {
        WaitingProcess first = WaitingProcess.after(null, Kind.MESSAGE, INBOX, NOW, RECHECK);
        assertThat(first.born()).isEqualTo(NOW);
        assertThat(WaitingProcess.after(first, Kind.MESSAGE, INBOX, NOW + 7, RECHECK)
                        .born())
                .isEqualTo(NOW);
    }

    @Test
    void processThatWasHeardInTheFutureOrForAShorterRecheckSaysThatItIsAlive() {
        WaitingProcess process = WaitingProcess.after(null, Kind.MESSAGE, INBOX, NOW, RECHECK);
        assertThat(process.wasHeardJustNow(Kind.MESSAGE, NOW - 1, RECHECK)).isFalse();
        assertThat(process.wasHeardJustNow(Kind.MESSAGE, NOW, RECHECK + 1)).isFalse();
        assertThat(process.wasHeardJustNow(Kind.MESSAGE, NOW, RECHECK - 1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"100, 0, false", "101, 0, true", "1000, 971, false", "1000, 970, false", "1000, 969, true"})
    void silenceIsMeasuredWithinTheRun(long seen, long began, boolean silent) {
        WaitingProcess process = new WaitingProcess(100, 30, 1, "m", INBOX);
        assertThat(process.isSilent(new Run(seen, began, 1))).isEqualTo(silent);
    }

    @Test
    void noProcessIsSilentWithoutARun() {
        assertThat(new WaitingProcess(100, 30, 1, "m", INBOX).isSilent(null)).isFalse();
    }

    @Test
    void processIsAskingForARecheckAndAQuarter() {
        WaitingProcess process = WaitingProcess.after(null, Kind.POLL, INBOX, NOW, RECHECK);
        assertThat(process.isAsking(NOW + 1_250_000)).isTrue();
        assertThat(process.isAsking(NOW + 1_250_001)).isFalse();
        assertThat(WaitingProcess.after(null, Kind.MESSAGE, INBOX, NOW, RECHECK).isAsking(NOW))
                .isFalse();
    }

    @Test
    void processThatWasHeardAQuarterOfARecheckAgoNeedNotSayThatItIsAlive() {
        WaitingProcess message = WaitingProcess.after(null, Kind.MESSAGE, INBOX, NOW, RECHECK);
        WaitingProcess poll = WaitingProcess.after(null, Kind.POLL, INBOX, NOW, RECHECK);
        assertThat(message.wasHeardJustNow(Kind.MESSAGE, NOW + 250_000, RECHECK))
                .isTrue();
        assertThat(message.wasHeardJustNow(Kind.MESSAGE, NOW + 250_001, RECHECK))
                .isFalse();
        assertThat(message.wasHeardJustNow(Kind.POLL, NOW, RECHECK)).isFalse();
        assertThat(poll.wasHeardJustNow(Kind.MESSAGE, NOW, RECHECK)).isFalse();
        assertThat(poll.wasHeardJustNow(Kind.POLL, NOW, RECHECK)).isFalse();
    }
}
