package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.JsonNode;

@FleetContext
class ReportTests {

    @Autowired
    private FleetClient client;

    @Autowired
    private StringRedisTemplate redis;

    @Test
    void oneProcessBuildsTheReportForAll() {
        List<CompletableFuture<FleetClient.Answer>> calls = IntStream.range(0, 6)
                .mapToObj(i -> client.get("/report?name=shared"))
                .toList();
        List<JsonNode> reports =
                calls.stream().map(call -> call.join().body()).distinct().toList();
        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).path("name").asString()).isEqualTo("shared");
        assertThat(reports.get(0).path("builtBy").asLong())
                .isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void reportIsBuiltAgainOnceItIsOutdated() {
        JsonNode first = client.get("/report?name=aging").join().body();
        assertThat(redis.getExpire("fleet:report:aging")).isBetween(1L, 5L);
        redis.delete("fleet:report:aging");
        JsonNode second = client.get("/report?name=aging").join().body();
        assertThat(second.path("builtAt")).isNotEqualTo(first.path("builtAt"));
    }
}
