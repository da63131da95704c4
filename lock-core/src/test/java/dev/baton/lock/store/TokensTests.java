package dev.baton.lock.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokensTests {

    private static final long NOW = 1_795_394_412_418_890L;
    private static final long OLD = NOW - 1_000_000;

    @Test
    void tokenIsTheTimeAndShowsWhetherTokensAreReserved() {
        assertThat(Tokens.next(OLD, NOW, 32)).isEqualTo(NOW);
        assertThat(Tokens.next(OLD, NOW + 1, 32)).isEqualTo(NOW + 2);
        assertThat(Tokens.next(OLD, NOW, 0)).isEqualTo(NOW + 1);
        assertThat(Tokens.next(OLD, NOW + 1, 0)).isEqualTo(NOW + 1);
    }

    @Test
    void tokenIsGreaterThanTheHighestOnAnyClock() {
        assertThat(Tokens.next(NOW, NOW - 1_000_000, 32)).isEqualTo(NOW + 1);
        assertThat(Tokens.next(NOW + 1, NOW, 32)).isEqualTo(NOW + 2);
        assertThat(Tokens.next(NOW + 2, NOW, 0)).isEqualTo(NOW + 3);
        assertThat(Tokens.next(NOW + 3, NOW, 0)).isEqualTo(NOW + 5);
    }

    @Test
    void tokensAreReservedUpToTheBoundAheadOfTheClock() {
        long last = NOW + Tokens.MOST_AHEAD - 1_000;
        assertThat(Tokens.next(last - 1, NOW, 1_000)).isEqualTo(last);
        assertThat(Tokens.next(last, NOW, 1_000)).isEqualTo(last + 1);
        assertThat(Tokens.next(last, NOW, 998)).isEqualTo(last + 2);
        assertThat(Tokens.next(OLD, NOW, Tokens.MOST_AHEAD + 1)).isEqualTo(NOW + 1);
    }

    @Test
    void storeWithoutTokensStartsAboveEveryEarlierToken() {
        assertThat(Tokens.next(0, NOW, 0)).isEqualTo(NOW + Tokens.MOST_AHEAD + 1);
        assertThat(Tokens.next(0, NOW, 32)).as("there is no room yet").isEqualTo(NOW + Tokens.MOST_AHEAD + 1);
    }

    @Test
    void evenTokenReservesTheRequestedTokensAndAnOddTokenNone() {
        assertThat(Tokens.kept(NOW, 32)).isEqualTo(32);
        assertThat(Tokens.kept(NOW + 1, 32)).isZero();
        assertThat(Tokens.kept(NOW, 0)).isZero();
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /**
     * For any number of reserved tokens, rate of grants and loss of data, each token is greater than all earlier
     * tokens, including those of local passes.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void tokensGrowAcrossLossesOfData(long seed) {
        Random random = new Random(seed);
        int limit = random.nextBoolean() ? 1 + random.nextInt(1_000) : 32;
        // no server grants faster
        int slowest = 3 + random.nextInt(random.nextBoolean() ? 10 : 1_000);
        long now = NOW;
        long fence = 0;
        long highest = 0;
        long replica = 0;
        for (int i = 0; i < 5_000; i++) {
            now += 3 + random.nextInt(slowest - 2);
            if (random.nextInt(50) == 0) {
                replica = fence;
            }
            if (random.nextInt(100) == 0) {
                fence = 0;
            } else if (random.nextInt(100) == 0) {
                // a lagging replica takes over after a while
                fence = replica;
                now += Tokens.MOST_AHEAD + random.nextInt(1_000);
            }
            long wanted = random.nextInt(4) == 0 ? 0 : limit;
            long token = Tokens.next(fence, now, wanted);
            assertThat(token).as("grant %d of limit %d", i, limit).isGreaterThan(highest);
            fence = token + Tokens.kept(token, wanted);
            assertThat(fence - now).as("ahead of the clock").isLessThanOrEqualTo(Tokens.MOST_AHEAD + 1);
            highest = fence;
        }
    }

    /** At the rate of a fast server, the default limit never reaches the bound. */
    @Test
    void tokensOfTheDefaultLimitAreAlwaysReserved() {
        long fence = Tokens.next(0, NOW, 0);
        for (int i = 1; i < 10_000; i++) {
            long now = NOW + 40L * i;
            long token = Tokens.next(fence, now, 32);
            assertThat(Tokens.kept(token, 32)).as("grant %d", i).isEqualTo(32);
            fence = token + 32;
        }
    }
}
