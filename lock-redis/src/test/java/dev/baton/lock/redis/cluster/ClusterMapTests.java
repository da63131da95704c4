package dev.baton.lock.redis.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.lock.redis.client.ServerAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests how the reply to {@code CLUSTER SLOTS} is read. */
class ClusterMapTests {

    private static final ServerAddress ASKED = new ServerAddress("asked", 7000);
    private static final ServerAddress A = new ServerAddress("10.0.0.1", 7001);
    private static final ServerAddress B = new ServerAddress("10.0.0.2", 7002);

    static List<Object> range(long first, long last, @Nullable Object host, long port) {
        List<Object> master = Arrays.asList(host, port, "id".getBytes(UTF_8));
        List<Object> replica = List.of("10.0.0.9".getBytes(UTF_8), 7009L, "other".getBytes(UTF_8));
        return List.of(first, last, master, replica);
    }

    static ClusterMap map(Object... ranges) {
        return ClusterMap.read(List.of(ranges), ASKED);
    }

    @Test
    void slotHasTheMasterOfItsRange() {
        ClusterMap map = map(range(101, 16383, "10.0.0.2".getBytes(UTF_8), 7002), range(0, 99, "10.0.0.1", 7001));
        assertThat(map.masterOf(0)).isEqualTo(A);
        assertThat(map.masterOf(99)).isEqualTo(A);
        assertThat(map.masterOf(100)).as("no server has it").isNull();
        assertThat(map.masterOf(101)).isEqualTo(B);
        assertThat(map.masterOf(16383)).isEqualTo(B);
        assertThat(map.masters()).containsExactly(A, B);
    }

    @Test
    void masterWithSeveralRangesCountsByItsLowestSlot() {
        ClusterMap map = map(
                range(300, 399, "10.0.0.1", 7001), range(200, 299, "10.0.0.2", 7002), range(0, 99, "10.0.0.1", 7001));
        assertThat(map.lowestSlots()).containsExactly(entry(A, 0), entry(B, 200));
    }

    @Test
    void serverThatDoesNotKnowItsAddressIsTheOneThatWasAsked() {
        for (Object unknown : Arrays.asList(null, "", "?")) {
            assertThat(map(range(0, 1, unknown, 7003)).masterOf(0)).isEqualTo(new ServerAddress("asked", 7003));
        }
    }

    @Test
    void orderOfTheReplyDoesNotMatter() {
        List<Object> low = range(0, 99, "10.0.0.1", 7001);
        List<Object> high = range(100, 16383, "10.0.0.2", 7002);
        assertThat(map(low, high)).isEqualTo(map(high, low));
        assertThat(map()).isEqualTo(ClusterMap.EMPTY).matches(ClusterMap::isEmpty);
    }

    static Stream<Object> garbage() {
        return Stream.of(
                "text",
                List.of("text"),
                List.of(List.of(1L, 2L)),
                List.of(List.of(1L, 2L, "master")),
                List.of(List.of("a", "b", List.of("host", 1L))),
                List.of(range(-1, 2, "host", 1)),
                List.of(range(0, 16384, "host", 1)),
                List.of(List.of(0L, 1L, List.of("host", "port"))));
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void otherRepliesAreRefused(Object reply) {
        assertThatIllegalArgumentException().isThrownBy(() -> ClusterMap.read(reply, ASKED));
    }
}
