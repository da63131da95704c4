package dev.baton.lock.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockListener.HandOver;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the history of the last five minutes, which has a fixed size. */
class BoardHistoryTests {

    private static final LockListener.Request REQUEST =
            new LockListener.Request(1, "", List.of("account.a"), "account", "owner", "host:1/thread");

    private final TestClock clock = TestClock.standing();
    private final BoardHistory history = new BoardHistory(clock);

    private void waited(Duration duration) {
        history.granted(new LockListener.Granted(REQUEST, 1, duration, true, 1, null));
    }

    private BoardSlice newest() {
        List<BoardSlice> past = history.past();
        return past.get(past.size() - 1);
    }

    @Test
    void sliceIsShownAfterItsEnd() {
        history.released(PastTraffic.released(HandOver.REMOTE, 3));
        history.released(PastTraffic.released(HandOver.LOCAL, 2));
        assertThat(newest().count(BoardSlice.Count.REMOTE)).isZero();
        clock.advance(BoardHistory.SLICE);
        assertThat(newest().count(BoardSlice.Count.REMOTE)).isEqualTo(3);
        assertThat(newest().count(BoardSlice.Count.LOCAL)).isEqualTo(2);
        clock.advance(BoardHistory.SLICE);
        assertThat(newest().count(BoardSlice.Count.REMOTE)).isZero();
    }

    @Test
    void sliceLeavesAfterFiveMinutesAndItsPlaceIsEmpty() {
        history.timedOut(new LockListener.TimedOut(REQUEST, Duration.ofSeconds(1), null));
        clock.advance(BoardHistory.SLICE.multipliedBy(59));
        assertThat(history.past().get(0).count(BoardSlice.Count.TIMED_OUT)).isEqualTo(1);
        clock.advance(BoardHistory.SLICE.multipliedBy(2));
        assertThat(history.past()).hasSize(59).allMatch(slice -> slice.count(BoardSlice.Count.TIMED_OUT) == 0);
    }

    @Test
    void quantilesAreAtMostAQuarterTooLong() {
        for (int i = 1; i <= 100; i++) {
            waited(Duration.ofMillis(i));
        }
        clock.advance(BoardHistory.SLICE);
        assertThat(newest().quantileMillis(0.5)).isBetween(50.0, 50 * 1.25);
        assertThat(newest().quantileMillis(0.95)).isBetween(95.0, 100.0);
        assertThat(newest().longestMillis()).isEqualTo(100, within(0.001));
    }

    @Test
    void extremeWaitsHaveAClass() {
        waited(Duration.ofDays(400));
        waited(Duration.ZERO);
        clock.advance(BoardHistory.SLICE);
        assertThat(newest().quantileMillis(0.5)).isZero();
        assertThat(newest().quantileMillis(1)).isPositive();
        assertThat(newest().longestMillis()).isEqualTo(400 * 24 * 3_600_000.0, within(1.0));
    }
}
