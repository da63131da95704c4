package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreTraits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests that the table in {@code docs/configuration.md} lists each combination and its features correctly. */
class RedisTraitsTests {

    private static final Duration INTERVAL = Duration.ofMillis(70);

    static Stream<List<String>> rows() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "configuration.md")).stream()
                .filter(line -> line.endsWith(" yes |") || line.endsWith(" no |"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList());
    }

    @Test
    void tableHasEveryCombinationOnce() throws IOException {
        assertThat(rows().map(row -> row.subList(0, 3)))
                .hasSize(WaitStrategy.values().length * 2 * 2)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void storeHasTheFeaturesOfItsRow(List<String> row) {
        WaitStrategy strategy = WaitStrategy.valueOf(row.get(0).toUpperCase(Locale.ROOT));
        LockHandler handler = LockHandler.valueOf(row.get(1).toUpperCase(Locale.ROOT));
        RedisConnectionFactory factory =
                row.get(2).equals("Jedis") ? new JedisConnectionFactory() : new LettuceConnectionFactory();

        StoreTraits traits = RedisTraits.of(factory, strategy, INTERVAL, handler, false);

        assertThat(traits.waitStrategy()).isEqualTo(strategy);
        assertThat(traits.pollingInterval())
                .as("also for requests that poll on their own")
                .isEqualTo(INTERVAL);
        assertThat(Stream.of(WaitStrategy.values()).filter(traits::serves))
                .containsOnly(strategy, WaitStrategy.POLLING);
        assertThat(strategy == WaitStrategy.GRANT && handler == LockHandler.SCRIPT)
                .as("several locks wait in the queues")
                .isEqualTo(row.get(3).equals("queued"));
        assertThat(traits.reservesTokens()).as("cohort").isEqualTo(isYes(row.get(4)));
        assertThat(traits.confirmedOnly() == null).as("pipelined").isEqualTo(isYes(row.get(5)));
    }

    @ParameterizedTest
    @EnumSource(WaitStrategy.class)
    void undecidedHandlerCountsAsScripts(WaitStrategy strategy) {
        RedisConnectionFactory factory = new LettuceConnectionFactory();
        assertThat(RedisTraits.of(factory, strategy, INTERVAL, LockHandler.AUTO, false))
                .isEqualTo(RedisTraits.of(factory, strategy, INTERVAL, LockHandler.SCRIPT, false));
    }

    @Test
    void storeNeedsAnInterval() {
        for (Duration interval : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new StoreTraits(WaitStrategy.GRANT, interval, false, null))
                    .withMessage("a store needs a positive polling interval, but has " + interval);
        }
    }

    private static boolean isYes(String cell) {
        assertThat(cell).isIn("yes", "no");
        return cell.equals("yes");
    }
}
