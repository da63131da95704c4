package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockListener.HandOver;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.FileSystemResource;

/** Tests that the dashboard and the alert rules query only meters that Prometheus gets. */
class DashboardTests {

    private static final Path DASHBOARD = Path.of("..", "docs", "grafana", "baton.json");
    private static final Path ALERTS = Path.of("..", "docs", "prometheus", "baton-alerts.yml");
    private static final LockListener.Request REQUEST =
            new LockListener.Request(1, "", List.of("account.a"), "account", "owner", "host:1/thread");

    /** The result of a scrape after one event of each kind. */
    private static Set<String> exposed() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LockMeters meters = new LockMeters(registry, 10, true);
        meters.asked(new LockListener.Asked(REQUEST));
        meters.granted(new LockListener.Granted(REQUEST, 1, Duration.ZERO, false, 1, null));
        meters.released(new LockListener.Released(REQUEST, 1, Duration.ofMillis(1), List.of(HandOver.LOCAL)));
        return found("(?m)^(baton_\\w+)", registry.scrape());
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> asked(Path file) throws IOException {
        return found("\\b(baton_\\w+)", Files.readString(file));
    }

    @Test
    void dashboardQueriesExistingMeters() throws IOException {
        assertThat(exposed()).containsAll(asked(DASHBOARD));
        List<String> expressions = JsonPath.read(DASHBOARD.toFile(), "$.panels[*].targets[*].expr");
        assertThat(expressions).hasSizeGreaterThan(10).allMatch(expression -> expression.contains("baton_"));
    }

    /** A meter that is never shown would be useless. */
    @Test
    void everyMeterIsOnTheDashboard() throws IOException {
        Set<String> asked = asked(DASHBOARD);
        assertThat(LockMeter.values())
                .allSatisfy(meter -> assertThat(asked)
                        .anyMatch(name -> name.equals(meter.key().replace('.', '_'))
                                || name.matches(meter.key().replace('.', '_') + "(_seconds(_sum|_count)?|_total)")));
    }

    @Test
    void alertsQueryExistingMeters() throws IOException {
        assertThat(exposed()).containsAll(asked(ALERTS));
        assertThat(asked(ALERTS)).isNotEmpty();
        assertThat(new YamlPropertySourceLoader().load("alerts", new FileSystemResource(ALERTS)))
                .singleElement()
                .satisfies(rules ->
                        assertThat(rules.getProperty("groups[0].rules[0].expr")).isNotNull());
    }

    @Test
    void onlyExistingTagsAreQueried() throws IOException {
        Set<String> tags =
                Arrays.stream(LockMeter.Tag.values()).map(LockMeter.Tag::key).collect(Collectors.toSet());
        for (Path file : List.of(DASHBOARD, ALERTS)) {
            String text = Files.readString(file);
            for (String by : found("by \\(([^)]*)\\)", text)) {
                assertThat(tags).containsAll(Set.of(by.replace("le, ", "").split(", ")));
            }
            assertThat(tags).containsAll(found("\\{(\\w+)=", text));
            assertThat(found("outcome=\"([a-z-]+)", text))
                    .allMatch(outcome -> LockMeter.Tag.OUTCOME.meaning().contains(outcome));
        }
    }
}
