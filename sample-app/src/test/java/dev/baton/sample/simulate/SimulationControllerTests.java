package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.sample.fleet.FleetApplication;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("once")
class SimulationControllerTests {

    private static ConfigurableApplicationContext application;
    private static ConfigurableApplicationContext other;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        application = FleetApplication.start("--server.port=0");
        other = FleetApplication.start(
                "--server.port=0",
                "--spring.data.redis.port="
                        + application.getEnvironment().getRequiredProperty("spring.data.redis.port"));
    }

    @AfterAll
    static void end() {
        other.close();
        application.close();
    }

    @Test
    void runWithTheLockHasNoOverlaps() throws Exception {
        // longer than the time of local passes, so that the processes alternate
        JsonNode result = simulate("processes=2&threads=2&seconds=1&hold-millis=25");
        // how evenly the processes were served within a second depends on the machine
        assertThat(result.path("verdicts").valueStream().filter(verdict -> !isOfFairness(verdict)))
                .as(result::toString)
                .hasSize(3)
                .allMatch(verdict -> verdict.path("holds").asBoolean());
        assertThat(result.path("holds").asBoolean())
                .isEqualTo(result.path("verdicts")
                        .valueStream()
                        .allMatch(verdict -> verdict.path("holds").asBoolean()));
        assertThat(result.path("acquisitions").asLong()).isPositive();
        assertThat(result.path("counter").asLong())
                .isEqualTo(result.path("acquisitions").asLong());
        assertThat(result.path("handOversBetweenProcesses").asLong()).isPositive();
        assertThat(result.path("scriptCallsPerAcquisition").asDouble()).isBetween(0.9, 1.5);
        Document svg = svg();
        List<long[]> holds = spans(svg, "baton-hold ");
        assertThat(holds).hasSizeGreaterThan(1);
        assertThat(overlaps(holds)).isZero();
        assertThat(spans(svg, "baton-overlap")).isEmpty();
        assertThat(spans(svg, "baton-gap")).isNotEmpty();
    }

    @Test
    void runWithoutTheLockShowsTheOverlaps() throws Exception {
        JsonNode result = simulate("processes=2&threads=2&seconds=1&unprotected=true");
        assertThat(result.path("holds").asBoolean()).isFalse();
        assertThat(result.path("overlaps").asLong()).isPositive();
        Document svg = svg();
        assertThat(overlaps(spans(svg, "baton-hold "))).isPositive();
        assertThat(spans(svg, "baton-overlap")).isNotEmpty();
    }

    @Test
    void oneSimulationRunsAtATimeInAllInstances() throws Exception {
        // the first request of an application is slow
        assertThat(get(other, "").statusCode()).isEqualTo(200);
        assertThat(post(application, "seconds=4&processes=2&threads=1&unprotected=true")
                        .statusCode())
                .isEqualTo(202);
        HttpResponse<String> same = post(application, "seconds=1");
        HttpResponse<String> elsewhere = post(other, "seconds=1");
        awaitDone();
        assertThat(same.statusCode()).isEqualTo(409);
        assertThat(detail(same))
                .isEqualTo(
                        "only one simulation can run at a time, and one is running in this instance; wait until it is done");
        assertThat(elsewhere.statusCode()).isEqualTo(409);
        assertThat(detail(elsewhere)).contains("running in another instance, held by ", "/simulation for ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            seconds=0              | seconds=0 is not a whole number from 1 to 300; write seconds=10
            processes=two          | processes=two is not a whole number from 2 to 64; write processes=4
            unprotected=perhaps    | unprotected=perhaps is neither true nor false; write unprotected=true
            spring.aot.enabled=x   | unknown option spring.aot.enabled; use [hold-millis, processes, seconds, threads] and unprotected=true
            processes=9            | over HTTP, a simulation has at most 8 processes, 32 threads and 60 seconds; use --simulate for more
            seconds=61             | over HTTP, a simulation has at most 8 processes, 32 threads and 60 seconds; use --simulate for more
            """)
    void invalidOptionIsRefused(String query, String message) throws Exception {
        HttpResponse<String> answer = post(application, query);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(detail(answer)).isEqualTo(message);
    }

    @Test
    void resultWithoutASimulationIsNotFound() throws Exception {
        assertThat(get(other, "").body()).contains("\"state\":\"NONE\"");
        HttpResponse<String> picture = get(other, "/timeline.svg");
        assertThat(picture.statusCode()).isEqualTo(404);
        assertThat(detail(picture))
                .isEqualTo("this instance has not started a simulation; start one with POST /simulate");
    }

    private static boolean isOfFairness(JsonNode verdict) {
        return verdict.path("text").asString().startsWith("within 20 % of each other");
    }

    /** Runs a simulation and returns its result. Asserts that the percentage grows up to 100. */
    private JsonNode simulate(String query) throws Exception {
        assertThat(post(application, query).statusCode()).isEqualTo(202);
        List<Integer> percents = awaitDone();
        assertThat(percents).isSorted().endsWith(100);
        assertThat(percents).anyMatch(percent -> percent > 0 && percent < 100);
        return json(get(application, "/result"));
    }

    private List<Integer> awaitDone() {
        List<Integer> percents = new ArrayList<>();
        await("simulation done")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    JsonNode status = json(get(application, ""));
                    percents.add(status.path("percent").asInt());
                    assertThat(status.path("state").asString()).isNotEqualTo("FAILED");
                    return status.path("state").asString().equals("DONE");
                });
        return percents;
    }

    private Document svg() throws Exception {
        HttpResponse<String> picture = get(application, "/timeline.svg");
        assertThat(picture.headers().firstValue("Content-Type").orElse("")).startsWith("image/svg+xml");
        Document svg = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(picture.body().getBytes(StandardCharsets.UTF_8)));
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        return svg;
    }

    private static List<long[]> spans(Document svg, String style) {
        List<long[]> spans = new ArrayList<>();
        NodeList rects = svg.getElementsByTagName("rect");
        for (int i = 0; i < rects.getLength(); i++) {
            Element rect = (Element) rects.item(i);
            if (rect.getAttribute("class").startsWith(style) && rect.hasAttribute("data-from")) {
                spans.add(new long[] {
                    Long.parseLong(rect.getAttribute("data-from")), Long.parseLong(rect.getAttribute("data-to"))
                });
            }
        }
        return spans;
    }

    private static long overlaps(List<long[]> spans) {
        spans.sort(Comparator.comparingLong(span -> span[0]));
        long overlaps = 0;
        long end = Long.MIN_VALUE;
        for (long[] span : spans) {
            overlaps += span[0] < end ? 1 : 0;
            end = Math.max(end, span[1]);
        }
        return overlaps;
    }

    private HttpResponse<String> post(ConfigurableApplicationContext instance, String query) throws Exception {
        return send(HttpRequest.newBuilder(uri(instance, "?" + query)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpResponse<String> get(ConfigurableApplicationContext instance, String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(instance, path)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(ConfigurableApplicationContext instance, String path) {
        return URI.create("http://localhost:" + instance.getEnvironment().getRequiredProperty("local.server.port")
                + "/simulate" + path);
    }

    private static String detail(HttpResponse<String> answer) {
        return json(answer).path("detail").asString();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return new JsonMapper().readTree(answer.body());
    }
}
